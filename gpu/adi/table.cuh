/* gpu/adi/table.cuh - the implicit solver's kernels of one precision in a table. Included last. */
extern const adig_kernels RIA_K(adig_kernels);
const adig_kernels RIA_K(adig_kernels) = {
    do_sweep,     do_force,    do_relax,       do_eddies,    do_carry,    do_mix,
    do_mix_lines, do_mix_home, do_mix_columns, do_decay,     do_derive,   do_density,
    do_look,      do_tick,     do_set_cells,   do_set_faces, do_settle,   do_join_seam,
    do_add,       do_find_bad, do_wrap,        do_layout,    do_reduce,   do_join_pieces,
    do_finish,    do_close,    do_meet,        do_meet_seen, do_tell_rim, do_load,
};
