# Runs that are killed, a disk that is full, two runs at a time. A library that is preloaded stands
# between the program and the system; it and a sanitizer's library do not go together.
#
#   cli.crash   a sample of the calls at which a run can be killed; RIA_CRASH_POINTS=all: all of them
#   cli.again   runs that are killed and go on in the same directory: crash/again.py
#   cli.disk    a full disk; two runs into one directory; a file system without locks
find_program(RIA_PYTHON python3)

set(ria_shim_source ${CMAKE_CURRENT_LIST_DIR}/crash/shim.c)
if(RIA_PYTHON AND UNIX AND NOT APPLE)
  add_library(ria_crash_shim MODULE ${ria_shim_source})
  target_compile_definitions(ria_crash_shim PRIVATE _GNU_SOURCE)
  set_target_properties(ria_crash_shim PROPERTIES C_VISIBILITY_PRESET default)
  add_executable(ria_crash_host ${CMAKE_CURRENT_LIST_DIR}/crash/host.c)
  target_link_libraries(ria_crash_host PRIVATE ria_flags ria_static m)
endif()

foreach(name crash again disk)
  set(here ${CMAKE_CURRENT_BINARY_DIR}/${name})
  file(MAKE_DIRECTORY ${here})
  if(NOT TARGET ria_crash_shim)
    add_test(NAME cli.${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: there is no python3, or no LD_PRELOAD")
  elseif(RIA_SANITIZE OR RIA_VALGRIND)
    add_test(NAME cli.${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: a library is preloaded, which sanitizers and valgrind do not allow")
  else()
    add_test(NAME cli.${name}
             COMMAND ${RIA_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/crash/${name}.py
                     $<IF:$<STREQUAL:${name},again>,$<TARGET_FILE:ria_crash_host>,$<TARGET_FILE:ria_program>>
                     $<TARGET_FILE:ria_crash_shim> ${CMAKE_CURRENT_LIST_DIR}/crash/small.lua
             WORKING_DIRECTORY ${here})
  endif()
  set_tests_properties(cli.${name} PROPERTIES LABELS cli TIMEOUT 1800 SKIP_REGULAR_EXPRESSION "^skipped: "
                                   ENVIRONMENT "${ria_test_environment};${ria_cli_environment}")
endforeach()
