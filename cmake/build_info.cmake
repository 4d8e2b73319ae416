# Version, commit and library versions go into one generated header, tools/build_info.h.
