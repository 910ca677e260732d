#!/bin/sh
# tests/mutate/run.sh - how many single changes to the arithmetic and to engine/core do the tests notice?
#
#   tests/mutate/run.sh --seed 1 --count 10
#
# README.md says how it works; --help lists the options.
exec python3 "$(dirname "$0")/mutate.py" "$@"
