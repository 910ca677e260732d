# shellcheck shell=sh
# ranks.sh - ranks of MPI on this machine, more of them than cores if need be; skips where they cannot be had.
# shellcheck disable=SC2154 # ria and build are the script's

[ -e "$build/lib/libria_mpi.so" ] || { echo "skipped: libria_mpi.so was not built (no mpicc)"; exit 77; }
command -v mpirun >/dev/null || { echo "skipped: there is no mpirun"; exit 77; }
case $(mpirun --version 2>&1) in
*"Open MPI"*) ;;
*) echo "skipped: mpirun is not that of Open MPI, whose options this takes"; exit 77 ;;
esac
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # Debian's own builders are root, too
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_base_warn_component_unused=0
# containers do not let a process read another's memory, or have no network
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl_tcp_if_include=lo
# MPI keeps what it has to the end of the process
export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"

# ranks N ARGUMENT...: ria with these, by N ranks
ranks() {
  n=$1
  shift
  timeout 300 mpirun -q --oversubscribe -n "$n" "$ria" "$@"
}
