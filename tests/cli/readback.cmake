# Stores read back by others: dump_store makes them, the scripts compare through zarr + xarray and
# through GDAL. Where a reader is not installed its test counts as skipped.

add_executable(dump_store dump_store.c)
target_include_directories(dump_store PRIVATE ${PROJECT_SOURCE_DIR}/engine)
target_link_libraries(dump_store PRIVATE ria_flags ria_static m)

find_program(RIA_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH) # where Debian's modules are
find_program(RIA_PYTHON python3)

set(ria_known ${CMAKE_CURRENT_BINARY_DIR}/known)
file(MAKE_DIRECTORY ${ria_known})
add_test(NAME cli.dump_store COMMAND dump_store ${ria_known})
set_tests_properties(cli.dump_store PROPERTIES FIXTURES_SETUP known_stores LABELS cli TIMEOUT 60
                                               ENVIRONMENT "${ria_test_environment}")
if(RIA_PYTHON)
  foreach(script readback readback_gdal)
    add_test(NAME cli.${script} COMMAND ${RIA_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/${script}.py ${ria_known})
    set_tests_properties(cli.${script} PROPERTIES FIXTURES_REQUIRED known_stores LABELS cli
                                                  SKIP_RETURN_CODE 77 TIMEOUT 120)
  endforeach()
endif()
