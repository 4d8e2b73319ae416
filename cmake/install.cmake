# cmake --install BUILD --prefix DIR: needs no root, and the result may be moved.
include(GNUInstallDirs)

install(TARGETS bespoke RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS vlts_bench/import.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/bespoke/vlts_bench)
install(FILES include/bespoke_model.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY docs/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB documents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
install(FILES LICENSE CHANGELOG.md ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR})
