# Memory that runs out: a library that oom.sh preloads. A sanitizer has an allocator of its own.
if(NOT RIA_SANITIZE AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_library(ria_refuse MODULE ${CMAKE_CURRENT_LIST_DIR}/refuse.c)
  target_compile_options(ria_refuse PRIVATE -fno-builtin -Wall -Wextra -Werror)
  target_compile_definitions(ria_refuse PRIVATE _GNU_SOURCE)
  target_link_libraries(ria_refuse PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(ria_refuse PROPERTIES OUTPUT_NAME refuse PREFIX "" C_VISIBILITY_PRESET default
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/cli)
endif()
