# cmake --install BUILD --prefix DIR: needs no root, and the result may be moved.
include(GNUInstallDirs)

install(TARGETS bespoke RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(EXISTS ${PROJECT_SOURCE_DIR}/vlts_bench/import.sh)
    install(PROGRAMS vlts_bench/import.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/bespoke/vlts_bench)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
