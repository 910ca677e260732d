# shellcheck shell=sh
# continued.sh - runs that were ended and continued, beside those that were not. The script has seed, tried=0 and fail.
# shellcheck disable=SC2034,SC2154 # of the script

# random N: N numbers in 0 .. 1
random() {
  seed=$((seed + 1))
  awk -v n="$1" -v s=$seed 'BEGIN { srand(s); for (k = 0; k < n; k++) printf "%.3f ", rand() }'
}

# as_was DIRECTORY: run.json without what may differ: times by the clock, how the grid was cut
as_was() {
  sed -e '/"written":/d; /"wall_s":/d; /"cell_steps_per_s":/d; /^  "continued": /,/^ *}],$/d; /^  "run":/d' \
    -e '/^  "parts": \[/,/^  \],$/d; /^  "by_rank": \[/,/^  \],$/d; /^  "ranks":/d; /^  "cuts":/d' "$1/run.json"
}

# paged DIRECTORY: the page's data of each run in it, without the script: a reference has its own
paged() { (cd "$1" && find . -name index.js | sort | xargs sed '/^  "script": {/,$d'); }

# same WHAT REFERENCE DIRECTORY
same() {
  tried=$((tried + 1))
  paged "$2" >left && paged "$3" >right
  if [ -s left ] && diff left right >differs; then :; else fail "$1: index.js: $(head -12 differs)"; fi
  diff -r -x checkpoints -x run.json -x index.js -x '*.log' "$2" "$3" >differs || { fail "$1: $(head -5 differs)"; return; }
  as_was "$2" >left && as_was "$3" >right
  diff left right >differs || fail "$1: run.json: $(head -12 differs)"
  if grep -q '"status": "ok"' "$3/run.json"; then :; else fail "$1: not finished"; fi
}
