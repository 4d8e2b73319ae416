# Version, commit and library versions for tools/build_info.c, as two generated headers.
# Included by the project it makes build_config.h and a target; run as a script by that
# target in every build it makes build_commit.h, and touches it only when the commit has
# changed, so that a commit costs one file and a link.
if(CMAKE_SCRIPT_MODE_FILE)
    set(commit unknown)   # a tarball, or one unpacked inside somebody else's repository
    execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel
                    OUTPUT_VARIABLE top ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    file(REAL_PATH ${SOURCE} source)
    if(top STREQUAL source)
        execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                        OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE
                        RESULT_VARIABLE failed)
        if(failed OR commit STREQUAL "")
            set(commit unknown)
        endif()
    endif()
    file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define BUILD_COMMIT \"${commit}\"\n")
    return()
endif()

set(BESPOKE_GENERATED_DIR ${PROJECT_BINARY_DIR}/generated)
set(build_libraries "")
function(build_info_library name version)
    if(version STREQUAL "")
        set(version unknown)
    endif()
    string(APPEND build_libraries " \\\n    X(\"${name}\", \"${version}\")")
    set(build_libraries "${build_libraries}" PARENT_SCOPE)
endfunction()

build_info_library(OpenMP "${OpenMP_C_VERSION}")
build_info_library(xxHash "${BESPOKE_xxhash_VERSION}")
build_info_library(zlib "${ZLIB_VERSION_STRING}")
build_info_library(zstd "${BESPOKE_zstd_VERSION}")
build_info_library(bzip2 "${BZIP2_VERSION_STRING}")
build_info_library(Jansson "${BESPOKE_jansson_VERSION}")
if(TARGET bespoke::hwloc)
    build_info_library(hwloc "${BESPOKE_hwloc_VERSION}")
endif()
if(TARGET bespoke::papi)
    build_info_library(PAPI "${BESPOKE_papi_VERSION}")
endif()

set(build_kind ${CMAKE_BUILD_TYPE})
if(BESPOKE_SANITIZE)
    string(APPEND build_kind " with -fsanitize=${BESPOKE_SANITIZE}")
endif()
file(CONFIGURE OUTPUT ${BESPOKE_GENERATED_DIR}/build_config.h CONTENT
"#define BUILD_VERSION \"${PROJECT_VERSION}\"
#define BUILD_KIND \"${build_kind}\"
#define BUILD_LIBRARIES(X)${build_libraries}
")

add_custom_target(build_commit
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
            -DHEADER=${BESPOKE_GENERATED_DIR}/build_commit.h
            -P ${CMAKE_CURRENT_LIST_DIR}/build_info.cmake
    BYPRODUCTS ${BESPOKE_GENERATED_DIR}/build_commit.h
    COMMENT "Looking up the commit" VERBATIM)
