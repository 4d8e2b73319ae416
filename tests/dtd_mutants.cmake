# Detectors with one mistake each, made from the sources of dtd/ by replacing one piece of text.
# The suite dtd_mutants must find every one of them.
#
#     dtd_mutant(NAME TOPOLOGIES OLD NEW)
#
# A chain is a wave whose tree has one child per worker, so that three workers have one in the
# middle.  OLD occurs exactly once in the sources of each topology, or configuring fails: then the line
# here is to follow the source.
set(dtd_sources_four_counter dtd_confirm.h dtd_tree.h dtd_tree.c dtd_four_counter.c)
set(dtd_sources_wave dtd_confirm.h dtd_tree.h dtd_tree.c dtd_wave.c)
set(dtd_sources_ring dtd_confirm.h dtd_ring.c)
set(dtd_mutant_sources "")
set(dtd_mutant_table "")

function(dtd_variant id topology old new)
    set(text "/* ${id}: made by tests/dtd_mutants.cmake */\n")
    set(arity 2)
    if(topology STREQUAL chain)
        set(topology wave)
        set(arity 1)
    endif()
    foreach(name dtd_tree_channel_bytes dtd_tree_state dtd_tree_message dtd_tree_ahead)
        string(APPEND text "#define ${name} ${id}_${name}\n")
    endforeach()
    string(APPEND text "#define dtd_${topology} ${id}\n")
    foreach(file IN LISTS dtd_sources_${topology})
        set(path ${PROJECT_SOURCE_DIR}/dtd/${file})
        file(READ ${path} piece)
        string(APPEND text "${piece}")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    endforeach()
    string(FIND "${text}" "${old}" first)
    string(FIND "${text}" "${old}" last REVERSE)
    if(first EQUAL -1 OR NOT first EQUAL last)
        message(FATAL_ERROR "tests/dtd_mutants.cmake: ${id}: not once in dtd/: ${old}")
    endif()
    string(REPLACE "${old}" "${new}" text "${text}")
    string(REPLACE "ARITY = 2" "ARITY = ${arity}" text "${text}")
    file(CONFIGURE OUTPUT dtd_mutants/${id}.c CONTENT "${text}" @ONLY)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/dtd_mutants/${id}.c)
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -w)
    set(dtd_mutant_sources ${dtd_mutant_sources} ${source} PARENT_SCOPE)
endfunction()

function(dtd_mutant name topologies old new)
    foreach(topology IN LISTS topologies)
        set(id ${name}_${topology})
        dtd_variant(${id} ${topology} "${old}" "${new}")
        string(APPEND dtd_mutant_table "DTD_MUTANT(${id})\n")
    endforeach()
    set(dtd_mutant_sources ${dtd_mutant_sources} PARENT_SCOPE)
    set(dtd_mutant_table "${dtd_mutant_table}" PARENT_SCOPE)
endfunction()

set(trees four_counter chain)
set(all four_counter chain ring)

# The confirming phase.
dtd_mutant(sums_not_compared "${all}" "all_yes && sent == first_received" "all_yes")
dtd_mutant(passivity_not_asked "${all}" "    return now->passive;" "    return true;")
dtd_mutant(not_frozen "${all}" "p->frozen = now->passive;" "p->frozen = 0;")
dtd_mutant(never_thawed "${all}" "static inline void dtd_thaw(dtd_phase *p) { p->frozen = 0; }"
           "static inline void dtd_thaw(dtd_phase *p) {}")

# Trees.
dtd_mutant(no_second_wave "${trees}" "    ask_below(v);\n    return true;"
           "    end_epoch(v);\n    return false;")
dtd_mutant(votes_with_each_other "${trees}" "sum_up(v).sent, v->t->first)"
           "sum_up(v).sent, sum_up(v).received)")
dtd_mutant(report_without_epoch "${trees}" "if (m->epoch != v->t->phase.epoch) return;"
           "if (m->epoch != v->t->phase.epoch && m->kind != DTD_REPORT) return;")
dtd_mutant(announced_twice "${trees}" "if (m->epoch != v->t->phase.epoch) return;"
           "if (m->epoch != v->t->phase.epoch && m->kind != DTD_ANNOUNCE) return;")
dtd_mutant(no_report_owed "${trees}" "v->t->owes = !yes;" "v->t->owes = 0;")
dtd_mutant(vote_overwrites_report "four_counter;wave" "    bool yes = (m->flags & DTD_YES) != 0;\n"
           "    bool yes = (m->flags & DTD_YES) != 0;\n\
    if (m->kind == DTD_REPORT && v->t->asked && v->t->of[child].active) return;\n")
dtd_mutant(child_forgotten "${trees}" "i = 1; i <= v->children" "i = 1; i < v->children")
dtd_mutant(need_kept "${trees}" "v->t->of[i].need = 0;" "(void)0;")
dtd_mutant(figures_reset "${trees}" "v->t->of[i].need = 0;" "v->t->of[i] = (part){ 0 };")
dtd_mutant(launched_unbalanced "${trees}" " || sum.sent != sum.received" "")
dtd_mutant(report_ahead_dropped chain "if (m->epoch == v.t->phase.epoch + 1) end_epoch(&v);" "")
dtd_mutant(abort_not_handed_on chain "else if (m->kind == DTD_ABORT) abort_wave(v);"
           "else if (m->kind == DTD_ABORT) dtd_thaw(&v->t->phase);")
dtd_mutant(own_vote_only chain "if (!yes) v->t->no = 1;" "")

# The ring.
dtd_mutant(no_second_round ring "freeze(v, received);" "end_epoch(v);")
dtd_mutant(not_blackened ring "(v->now->received != r->seen_received ? DTD_BLACK : 0u)" "0u")
dtd_mutant(counts_not_compared ring "else if (sent == received && r->needy)" "else if (r->needy)")
dtd_mutant(not_held ring "if (v->out->announced || !v->now->passive) return;"
           "if (v->out->announced) return;")
dtd_mutant(no_report_after_no ring "v->r->owes = 1;" "")
dtd_mutant(report_without_epoch ring "if (m->epoch != v->r->phase.epoch) return;"
           "if (m->epoch != v->r->phase.epoch && m->kind != DTD_REPORT) return;")
dtd_mutant(announced_twice ring "if (m->epoch != v->r->phase.epoch) return;"
           "if (m->epoch != v->r->phase.epoch && m->kind != DTD_ANNOUNCE) return;")
dtd_mutant(need_forgotten ring "if (flags & DTD_NEED) r->needy = 1;" "")
dtd_mutant(abort_stops ring "    hand_on(v, DTD_ABORT);" "")
dtd_mutant(black_token_rests ring "if (flags & DTD_BLACK) r->wanted = 1;"
           "if (flags & DTD_BLACK) (void)0;")

# No mistake: a chain.
dtd_variant(dtd_chain chain "ARITY = 2" "ARITY = 1")

file(CONFIGURE OUTPUT dtd_mutants.def CONTENT "${dtd_mutant_table}" @ONLY)
