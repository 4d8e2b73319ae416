#include "tools/build_info.h"

#include "build_commit.h"
#include "build_config.h"
#include "comm/comm_mpi.h"
#include "core/ids.h"

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#ifdef __clang__
#define COMPILER                                                       \
    "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT( \
        __clang_patchlevel__)
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *build_info_version(void) { return BUILD_VERSION; }

const char *build_info_commit(void) { return BUILD_COMMIT; }

const char *build_info_compiler(void) { return COMPILER ", " BUILD_KIND; }

build_library build_info_library(size_t i)
{
#define LIBRARY(name, version) { name, version },
    static const build_library libraries[] = { BUILD_LIBRARIES(LIBRARY) };
#undef LIBRARY
    if (i == 0) return (build_library){ comm_mpi_library(), comm_mpi_version() };
    return i <= COUNT_OF(libraries) ? libraries[i - 1] : (build_library){ 0 };
}
