# Which MPI: the user's choice, then the site's, then MPICH.
#
# A choice is MPI_C_COMPILER or MPI_HOME (as -D or in the environment) or an `mpicc` in PATH that
# is not the distribution's: a module puts its own in front.  Where only the distribution's are
# there, /usr/bin/mpicc may point to any of them, so MPICH is asked for by name.
foreach(name MPI_C_COMPILER MPI_HOME)
    if(NOT DEFINED ${name} AND DEFINED ENV{${name}})
        set(${name} "$ENV{${name}}" CACHE STRING "chosen in the environment")
    endif()
endforeach()

if(NOT DEFINED MPI_C_COMPILER AND NOT DEFINED MPI_HOME)
    find_program(bespoke_mpicc NAMES mpicc NO_CACHE)
    find_program(bespoke_mpich NAMES mpicc.mpich NO_CACHE)
    if(bespoke_mpicc)
        get_filename_component(bin "${bespoke_mpicc}" DIRECTORY)
        file(REAL_PATH "${bin}" bin)   # /bin is /usr/bin
    endif()
    if(bespoke_mpich AND (NOT bespoke_mpicc OR bin STREQUAL "/usr/bin"))
        set(MPI_C_COMPILER ${bespoke_mpich} CACHE FILEPATH "MPI compiler wrapper")
    endif()
endif()

# The launcher must be of the same MPI: mpicc.mpich goes with mpiexec.mpich beside it.
if(MPI_C_COMPILER AND NOT DEFINED MPIEXEC_EXECUTABLE)
    find_program(bespoke_wrapper NAMES ${MPI_C_COMPILER} NO_CACHE)
    if(bespoke_wrapper)
        get_filename_component(bin "${bespoke_wrapper}" DIRECTORY)
        get_filename_component(suffix "${bespoke_wrapper}" EXT)
        find_program(bespoke_mpiexec NAMES mpiexec${suffix} PATHS ${bin} NO_DEFAULT_PATH NO_CACHE)
    endif()
    if(bespoke_mpiexec)
        set(MPIEXEC_EXECUTABLE ${bespoke_mpiexec} CACHE FILEPATH "starts ranks")
    endif()
endif()

find_package(MPI REQUIRED COMPONENTS C)
