# MB-DSOLVE with one mistake each, made from its sources by replacing one piece of text.  The suite
# mb_mutants must find every one of them.
#
#     mb_mutant(NAME OLD NEW)
#
# OLD occurs exactly once in the sources, or configuring fails: then the line here is to follow the
# source.  All sources are one text, so names that two of them have for themselves get the file's
# name before them, and public names the mutant's.  Letters in comments are those of mb_tiny_cases.c.
set(mb_sources mb_callers mb_open mb_step mb_expand mb_spread mb_receive mb_values)
set(mb_mutant_sources "")
set(mb_mutant_table "")

# The names after `pattern` in a text, each once.
function(mb_names out pattern text)
    string(REGEX MATCHALL "${pattern}" found "${text}")
    set(names "")
    foreach(one IN LISTS found)
        string(REGEX REPLACE ".*[ *\n]([a-z_]+)\\($" "\\1" name "${one}")
        list(APPEND names ${name})
    endforeach()
    list(REMOVE_DUPLICATES names)
    set(${out} "${names}" PARENT_SCOPE)
endfunction()

set(mb_text "")
set(mb_public mb_program)
set(mb_private "")
foreach(stem IN LISTS mb_sources)
    set(path ${PROJECT_SOURCE_DIR}/algorithms/${stem}.c)
    file(READ ${path} piece)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    mb_names(public "\n[a-z][a-z_ *]*[ *]mb_[a-z_]+\\(" "${piece}")
    mb_names(private "\nstatic [a-z_ *]*[ *][a-z_]+\\(" "${piece}")
    foreach(name IN LISTS private)
        if(name IN_LIST mb_private)
            string(PREPEND piece "#define ${name} ${stem}_${name}\n")
            string(APPEND piece "#undef ${name}\n")
        endif()
    endforeach()
    list(FILTER public EXCLUDE REGEX "^static")
    list(APPEND mb_public ${public})
    list(APPEND mb_private ${private})
    string(APPEND mb_text "${piece}")
endforeach()
list(REMOVE_ITEM mb_public ${mb_private})

function(mb_mutant id old new)
    set(text "/* ${id}: made by tests/mb_mutants.cmake */\n")
    foreach(name IN LISTS mb_public)
        string(APPEND text "#define ${name} ${id}_${name}\n")
    endforeach()
    string(APPEND text "${mb_text}")
    string(FIND "${text}" "${old}" first)
    string(FIND "${text}" "${old}" last REVERSE)
    if(first EQUAL -1 OR NOT first EQUAL last)
        message(FATAL_ERROR "tests/mb_mutants.cmake: ${id}: not once in algorithms/mb_*.c: ${old}")
    endif()
    string(REPLACE "${old}" "${new}" text "${text}")
    string(APPEND text "#include \"tests/mb_family.h\"\n"
           "const mb_family ${id} = { \"${id}\", mb_open, mb_close, mb_run, mb_knows };\n")
    file(CONFIGURE OUTPUT mb_mutants/${id}.c CONTENT "${text}" @ONLY)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/mb_mutants/${id}.c)
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -w)
    set(mb_mutant_sources ${mb_mutant_sources} ${source} PARENT_SCOPE)
    set(mb_mutant_table "${mb_mutant_table}MB_MUTANT(${id})\n" PARENT_SCOPE)
endfunction()

# Values.
mb_mutant(neutral_is_decisive "if (value == mb_absorbing(w, b, x)) return absorb"   # a
          "if (value != mb_absorbing(w, b, x)) return absorb")
mb_mutant(value_never_set "| MB_STABLE | how | (value ? MB_TRUE : 0)" "| MB_STABLE | how")   # b
mb_mutant(constant_never_stable   # c, d
          "if (mb_is_stable(w, x) || (w->col.pending && w->col.pending[x] > 0)) return 0;"
          "if (w->col.pending || mb_is_stable(w, x)) return 0;")
mb_mutant(last_is_not_told "return has_dependents(w, v) ? vec_push"   # e
          "return has_dependents(w, v) && b->fresh.count == 0 ? vec_push")
mb_mutant(dependents_as_a_set "w->col.pending[y] += count;"   # n
          "w->col.pending[y] += count + (count > 1 && open[0] == open[1]);")
mb_mutant(counted_edge_by_edge   # x
          "if (--w->col.pending[x] > 0 || !(w->col.status[x] & MB_COMPLETE)) return 0;"
          "if (--w->col.pending[x] > 0) return 0;")
mb_mutant(row_done_while_answers_are_awaited
          "if (mb_is_stable(w, x) || (w->col.pending && w->col.pending[x] > 0)) return 0;"
          "if (mb_is_stable(w, x)) return 0;")

# Requests of other blocks.
mb_mutant(answer_to_a_stable_one_not_counted   # f
          "    if (cross) b->expected--;\n    if (mb_is_stable(w, x)) return 0;"
          "    if (mb_is_stable(w, x)) return 0;\n    if (cross) b->expected--;")
mb_mutant(put_off_and_forgotten "if (b->put_off.count == 0 || comm_frozen"   # g
          "if (true || comm_frozen")
mb_mutant(withdrawn_request_still_awaited   # f
          "    mb_block_of(w, x)->expected--;\n" "")
mb_mutant(other_blocks_account "if (cross) b->expected--;"   # h
          "if (cross) w->block[w->blocks - 1].expected--;")
mb_mutant(taken_for_ever "b->taken = false;" "")   # i
mb_mutant(waits_for_those_who_wait "&& b->expected == 0;"   # j, k
          "&& b->expected == 0 && b->wanted == 0;")
mb_mutant(taken_while_frozen "MB_EAGER && !comm_frozen(w->c, b->number);" "MB_EAGER;")   # m
mb_mutant(passive_while_answers_are_awaited "&& b->expected == 0;" ";")   # o
mb_mutant(request_on_the_next_blocks_account   # r
          "expand, COMM_NO_CHANNEL, mb_on_cross_expand" "expand, 1, mb_on_cross_expand")
mb_mutant(need_of_others_forgotten "if (!(*status & MB_WANTED)) b->wanted++;" "")
mb_mutant(need_kept "if (*status & MB_WANTED) b->wanted--;" "")
mb_mutant(need_of_the_root_forgotten " || (root && !mb_is_stable(w, w->root))" "")
mb_mutant(need_of_those_put_off_forgotten "b->wanted > 0 || b->put_off.count > 0"
          "b->wanted > 0")
mb_mutant(passive_with_vertices_to_expand "return frontier_is_empty(&b->search) && "
          "return ")

# The end.
mb_mutant(works_after_the_stop "if (w->over) return finish(w);"   # v
          "if (w->over && w->root != VERTEX_NONE) return finish(w);")
mb_mutant(announcement_dropped_at_the_end "if (mb_end_epoch(w, b, e) == 0 && !w->over)"   # w
          "if (!w->over && mb_end_epoch(w, b, e) == 0)")
mb_mutant(leaves_before_announcements "return x[0] == w->part->workers * x[1] ? COMM_STEP_DONE"
          "return true ? COMM_STEP_DONE")
mb_mutant(others_not_stopped "w->stopped < w->part->workers; w->stopped++"
          "w->stopped + 1 < w->part->workers; w->stopped++")
mb_mutant(entry_not_settled "if (b->entry != VERTEX_NONE) settle_passively" "if (0) settle_passively")

# Parents, and where a value came from.
mb_mutant(parents_with_two_entries "GRAPH_PURE | GRAPH_SINGLE_ENTRY" "GRAPH_PURE")   # A
mb_mutant(parents_with_two_operators   # B
          "one |= b->sign == GRAPH_NU ? GRAPH_CONJUNCTIVE : GRAPH_DISJUNCTIVE;" "")
mb_mutant(no_choice "if (w->col.choice) w->col.choice[x] = ref;" "")   # C
mb_mutant(passive_looks_neutral "b->init, MB_PASSIVE, e" "b->init, 0, e")   # D
mb_mutant(nobody_tells_his_parent "mb_value(w, v) == b->init ? 0 : rise(w, b, v, e)" "0")
mb_mutant(inner_edges_of_the_row_before "    b->row_begun = false;\n" "")

# Full buffers.
mb_mutant(edge_lost_when_full "f->at += !full" "f->at++")
mb_mutant(caller_lost_when_full
          "            return false;\n        mb_callers_drop(&w->others, y);"
          "            return mb_callers_drop(&w->others, y), false;\n        mb_callers_drop(&w->others, y);")
mb_mutant(answer_lost_when_full "                        is_cross(w, b, r->from, r->ref)))\n            return false;"
          "                        is_cross(w, b, r->from, r->ref)))\n            return b->answers.count--, false;")

file(CONFIGURE OUTPUT mb_suites/mb_mutants.def CONTENT "${mb_mutant_table}" @ONLY)
