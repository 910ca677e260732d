# gpu/nvcc.cmake - whether CUDA can be had, and how gpu/*/*.cu are compiled.
#
# nvcc is a command here and not CMake's language CUDA: whatever links a library with that language
# in it is linked by a C++ compiler, and libria is for C. Sets
#
#   RIA_CUDA_VERSION   of nvcc; empty: CUDA is left out
#   RIA_CUDA_WHY_NOT   then says why
#   RIA_CUDA_OBJECTS   to be put into libria
set(RIA_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO (where nvcc is), ON or OFF")
set_property(CACHE RIA_CUDA PROPERTY STRINGS AUTO ON OFF)
set(RIA_CUDA_ARCH 90 CACHE STRING "GPUs to compile for, as in 80-real;90: with -real no PTX for newer ones")
option(RIA_CUDA_QUICK "Compile CUDA code in a tenth of the time, to see that it compiles: it is hardly optimised" OFF)
set(RIA_CUDA_OLDEST 12.4) # conditional nodes in graphs

set(RIA_CUDA_VERSION "")
set(RIA_CUDA_WHY_NOT "")
set(RIA_CUDA_OBJECTS "")

# Compiles a line with the host's C++ compiler, once for each nvcc.
function(ria_try_nvcc version out why_not)
  set(key "${RIA_NVCC} ${version} $ENV{NVCC_CCBIN} c++20")
  if(NOT RIA_NVCC_WORKED STREQUAL key)
    file(WRITE ${CMAKE_BINARY_DIR}/try_nvcc.cu "__global__ void f() {}\n")
    execute_process(COMMAND ${RIA_NVCC} -std=c++20 -c try_nvcc.cu -o try_nvcc.o
                    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} RESULT_VARIABLE failed
                    OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(failed)
      string(REGEX REPLACE "\n.*" "" said "${said}")
      set(${out} FALSE PARENT_SCOPE)
      set(${why_not} "${RIA_NVCC} does not work with a C++ compiler: ${said}" PARENT_SCOPE)
      return()
    endif()
    set(RIA_NVCC_WORKED ${key} CACHE INTERNAL "nvcc that compiled a file")
  endif()
  set(${out} TRUE PARENT_SCOPE)
endfunction()

# Sets RIA_CUDA_VERSION, or RIA_CUDA_WHY_NOT.
macro(ria_find_cuda)
  if(DEFINED ENV{CUDACXX})
    set(RIA_NVCC "$ENV{CUDACXX}" CACHE FILEPATH "The CUDA compiler")
  endif()
  find_program(RIA_NVCC nvcc PATHS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda /opt/cuda
               PATH_SUFFIXES bin DOC "The CUDA compiler")
  set(version "")
  if(RIA_NVCC)
    execute_process(COMMAND ${RIA_NVCC} --version OUTPUT_VARIABLE said ERROR_QUIET RESULT_VARIABLE failed)
    if(said MATCHES "release ([0-9]+\\.[0-9]+)")
      set(version ${CMAKE_MATCH_1})
    endif()
  endif()
  if(NOT RIA_NVCC)
    set(RIA_CUDA_WHY_NOT "there is no nvcc")
  elseif(NOT version)
    set(RIA_CUDA_WHY_NOT "${RIA_NVCC} does not tell its version")
  elseif(version VERSION_LESS RIA_CUDA_OLDEST)
    set(RIA_CUDA_WHY_NOT "${RIA_NVCC} is of CUDA ${version}, ${RIA_CUDA_OLDEST} or later is needed (CUDACXX=... names another)")
  else()
    ria_try_nvcc(${version} works RIA_CUDA_WHY_NOT)
    if(works)
      # The runtime that belongs to this compiler.
      file(REAL_PATH ${RIA_NVCC} nvcc)
      cmake_path(GET nvcc PARENT_PATH bin)
      if(NOT CUDAToolkit_ROOT)
        cmake_path(GET bin PARENT_PATH CUDAToolkit_ROOT)
      endif()
      find_package(CUDAToolkit ${RIA_CUDA_OLDEST} QUIET)
      if(TARGET CUDA::cudart_static)
        set(RIA_CUDA_VERSION ${version})
      else()
        set(RIA_CUDA_WHY_NOT "the static CUDA runtime (libcudart_static.a) of ${RIA_NVCC} is not found")
      endif()
    endif()
  endif()
endmacro()

# "80-real;90" -> nvcc's options, and words for people: "8.0, 9.0 and newer".
function(ria_cuda_targets options words)
  set(flags "")
  set(said "")
  foreach(arch IN LISTS RIA_CUDA_ARCH)
    if(NOT arch MATCHES "^([0-9]+)([0-9])([af]?)(-real|-virtual)?$")
      message(FATAL_ERROR "RIA_CUDA_ARCH: '${arch}' is not like 90, 90-real or 90-virtual")
    endif()
    set(number ${CMAKE_MATCH_1}${CMAKE_MATCH_2}${CMAKE_MATCH_3})
    set(name ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
    if(CMAKE_MATCH_4 STREQUAL "-real")
      list(APPEND flags -gencode=arch=compute_${number},code=sm_${number})
    elseif(CMAKE_MATCH_4 STREQUAL "-virtual")
      list(APPEND flags -gencode=arch=compute_${number},code=compute_${number})
      string(APPEND name " and newer")
    else()
      list(APPEND flags -gencode=arch=compute_${number},code=[compute_${number},sm_${number}])
      string(APPEND name " and newer")
    endif()
    list(APPEND said ${name})
  endforeach()
  list(JOIN said ", " said)
  set(${options} ${flags} PARENT_SCOPE)
  set(${words} ${said} PARENT_SCOPE)
endfunction()

# Warnings are errors, but for -Wpedantic: what nvcc itself writes for the host is not pedantic. Single
# precision is as fast as the hardware has it; of double precision the options concern the contraction alone. No exceptions,
# no RTTI: nothing of libstdc++ is needed to link. Tables name the members that they set; the rest is zero.
function(ria_cuda_compile out)
  ria_cuda_targets(targets words)
  set(host -Wall -Wextra -Wno-missing-field-initializers -Werror -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics)
  list(JOIN host "," host)
  set(flags -std=c++20 -O3 --ftz=true --prec-div=false --prec-sqrt=false -lineinfo
      -Werror=all-warnings -Xcompiler=${host} ${targets}
      -I${PROJECT_SOURCE_DIR}/engine/include -I${PROJECT_SOURCE_DIR}/engine -I${PROJECT_SOURCE_DIR}/gpu
      -D_GNU_SOURCE -DRIA_HAVE_CUDA "-DRIA_CUDA_TARGETS=\"${words}\"")
  if(RIA_CUDA_QUICK)
    execute_process(COMMAND ${RIA_NVCC} --help OUTPUT_VARIABLE said ERROR_QUIET)
    if(said MATCHES "--Ofast-compile") # of CUDA 13
      list(APPEND flags --Ofast-compile=max)
    else()
      list(APPEND flags --ptxas-options=-O1)
    endif()
  endif()
  if(RIA_CUDA_VERSION VERSION_GREATER_EQUAL 12.8) # a quarter of the size; drivers since 12.4 read it
    list(APPEND flags --compress-mode=size)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gpu/*/*.cu)
  foreach(name IN LISTS RIA_SOLVERS_LEFT_OUT)
    list(FILTER sources EXCLUDE REGEX "/gpu/${name}/[^/]*$")
  endforeach()
  set(objects "")
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/gpu OUTPUT_VARIABLE name)
    string(REGEX REPLACE "[/.]" "_" name ${name}) # objects of one archive need names of their own
    set(object ${CMAKE_BINARY_DIR}/gpu/${name}.o)
    set(own "")
    # Tiles walked in different ways share edges; lines are solved whole, or by parts of a grid.
    if(source MATCHES "/gpu/(shallow_water|adi)/[^/]*$")
      set(own --fmad=false) # ria_fused says what is fused
    endif()
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${RIA_NVCC} ${flags} ${own} -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d
      COMMENT "Building CUDA object gpu/${name}.o" VERBATIM COMMAND_EXPAND_LISTS)
    list(APPEND objects ${object})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/gpu)
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  # Both libraries are made of them; they are made once.
  add_custom_target(ria_cuda DEPENDS ${objects})
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

string(TOUPPER "${RIA_CUDA}" wanted)
if(NOT wanted MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "RIA_CUDA is '${RIA_CUDA}': expected AUTO, ON or OFF")
elseif(wanted STREQUAL OFF)
  set(RIA_CUDA_WHY_NOT "RIA_CUDA is OFF")
else()
  ria_find_cuda()
  if(RIA_CUDA_VERSION)
    ria_cuda_compile(RIA_CUDA_OBJECTS)
  elseif(wanted STREQUAL ON)
    message(FATAL_ERROR "RIA_CUDA is ON, but ${RIA_CUDA_WHY_NOT}")
  endif()
endif()
