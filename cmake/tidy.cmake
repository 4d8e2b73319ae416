# cmake --build BUILD --target tidy: clang-tidy (.clang-tidy) over our own sources.
find_program(BESPOKE_RUN_TIDY NAMES run-clang-tidy run-clang-tidy-14)
if(BESPOKE_RUN_TIDY)
    set(folders "core|dtd|comm|lang|models|encodings|algorithms|experiments|vlts_bench|tools")
    add_custom_target(tidy
        COMMAND ${BESPOKE_RUN_TIDY} -quiet -p ${PROJECT_BINARY_DIR}
                "-header-filter=^${PROJECT_SOURCE_DIR}/(${folders})/"
                "^${PROJECT_SOURCE_DIR}/(${folders})/.*\\.c$"
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
        COMMENT "clang-tidy over all folders" USES_TERMINAL VERBATIM)
    add_dependencies(tidy bespoke)   # for what the build generates
endif()
