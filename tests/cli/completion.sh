#!/bin/sh
# Completion in shells: what is offered at a place of the command line. bash is asked as readline
# asks it, zsh by its own line editor, fish by `complete -C`; a shell that is missing is not asked.
#   completion.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
command -v bash >/dev/null || exit 77
for shell in bash zsh fish; do
  "$ria" help --completion $shell >ria.$shell || fail "ria help --completion $shell: exit code $?"
done
"$ria" help --completion csh >said 2>&1 && fail "completion for csh"
grep -q "one of bash, zsh, fish" said || fail "completion for csh: $(cat said)"

mkdir places && cat >places/bay.lua <<'LUA'
print "  name of this: bay"
local ria = require "ria"
local p = ria.params { days = { 2, unit = "d" }, data = "", river_flow = 40, order = 2 }
while p.days > 0 do end -- completion does not wait for it
LUA
touch places/tide.csv places/map.tif

# --- bash -------------------------------------------------------------------------------------
cat >ask.bash <<'BASH'
source ria.bash || exit 1
program=$1
shift
COMP_WORDS=("$program" "$@") COMP_CWORD=$#
compopt() { :; } # outside of readline there are no options to set
_ria
for ((k = 0; k < ${#COMPREPLY[@]}; k++)); do printf '%s\n' "${COMPREPLY[k]}"; done
BASH
# offers "EXPECTED" WORD...: exactly these, in any order; words as readline takes them apart, the last to be completed
offers() {
  expected=$1
  shift
  said=$(bash ask.bash "$ria" "$@" 2>&1 | sort | tr '\n' ' ')
  [ "$said" = "${expected:+$expected }" ] || fail "bash: ria $*: '$said', not '$expected'"
}
commands=$("$ria" help | sed -n 's/^  ria \([a-z]*\) .*/\1/p')
# shellcheck disable=SC2086
offers "$(printf '%s\n' --help --version $commands | sort | tr '\n' ' ' | sed 's/ $//')" ""
offers "check" ch
offers "--quiet" run --q
offers "auto cpu cuda" run --device ""
offers "cpu cuda" run --device = c
offers "daily mid none" tide --nodal ""
offers "places" run p
offers "places/bay.lua" run places/
offers "places/tide.csv" tide places/
offers "places/bay.lua places/map.tif places/tide.csv" info places/
offers "places" run --out pl
offers "" run --threads ""
offers "data= days= order= river_flow=" run places/bay.lua ""
offers "data= days=" run --device cpu places/bay.lua days = 3 da
offers "river_flow=" check --parts = 2 places/bay.lua r
offers "" run places/bay.lua data = x
offers "places" params pl
offers "places" view elsewhere pl
offers "" render elsewhere pl
offers "" params places/bay.lua ""
offers "bash fish zsh" help --completion ""
offers "shallow_water" help shal
offers "dates" help da
offers "ria.frame" help ria.fr
offers "every" help sim : ev
offers "heat" new x --like he
offers "diffusion" bench diff

# every command and option of help is there
for command in $commands; do
  "$ria" help "$command" | sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort >options
  [ -s options ] || fail "ria help $command has no options"
  bash ask.bash "$ria" "$command" -- 2>&1 | sort >offered
  cmp -s options offered || fail "bash: options of $command: $(diff options offered)"
  while read -r option; do
    grep -q "^complete .*'__ria_in $command' -l ${option#--} " ria.fish || fail "fish: $command lacks $option"
  done <options
  cp options options.$command
done

# --- zsh --------------------------------------------------------------------------------------
# what it is told: its own functions print their arguments here
cat >ask.zsh <<'ZSH'
compdef() { : }
_arguments() { print -rl -- "$@" }
_describe() { print -rl -- ${(P)4} }
compadd() { while [[ $1 == -* ]]; do [[ $1 != -S ]] || shift; shift; done; print -rl -- "$@" }
source ./ria.zsh
words=("$@") CURRENT=$#
[[ $ASK == parameters ]] || { _ria; exit }
_ria_program=$1 line=($4)
_ria_parameters
ZSH
if command -v zsh >/dev/null; then
  zsh -f ask.zsh "$ria" "" | sed 's/:.*//' | sort >offered
  echo "$commands" | sort | cmp -s - offered || fail "zsh: commands: $(cat offered)"
  for command in $commands; do
    zsh -f ask.zsh "$ria" "$command" "" | sed -n 's/^\(--[a-z-]*\)=\{0,1\}\[.*/\1/p' | sort >offered
    cmp -s options."$command" offered || fail "zsh: options of $command: $(diff options."$command" offered)"
  done
  zsh -f ask.zsh "$ria" run "" >said
  for spec in '--quiet[print errors only]' ':auto|cpu|cuda\[\:N\]:(auto cpu cuda)' ':DIR:_files -/' '*:parameter:_ria_parameters' '_files -g "*.lua(-.)"'; do
    grep -qF -e "$spec" said || fail "zsh: ria run lacks '$spec' in: $(cat said)"
  done
  said=$(ASK=parameters zsh -f ask.zsh "$ria" run "" places/bay.lua 2>&1 | tr '\n' ' ')
  [ "$said" = "data= days= order= river_flow= " ] || fail "zsh: parameters: $said"
fi

# --- fish -------------------------------------------------------------------------------------
# fish_offers "EXPECTED" LINE: exactly these of what fish offers, in any order
fish_offers() {
  said=$(HOME=$PWD XDG_CONFIG_HOME=$PWD/config XDG_DATA_HOME=$PWD/data fish --no-config -c \
    "source ria.fish; complete -C '$2'" 2>&1 | cut -f 1 | sort | tr '\n' ' ')
  [ "$said" = "${1:+$1 }" ] || fail "fish: $2: '$said', not '$1'"
}
if command -v fish >/dev/null; then
  mkdir bin && ln -s "$ria" bin/ria
  PATH=$PWD/bin:$PATH
  fish_offers "check" "ria ch"
  fish_offers "--quiet" "ria run --qui"
  fish_offers "auto cpu cuda" "ria run --device "
  fish_offers "places/bay.lua" "ria run places/b"
  fish_offers "data= days=" "ria run --device cpu places/bay.lua da"
  fish_offers "shallow_water" "ria help shal"
  fish_offers "sim:every" "ria help sim:ev"
fi

exit $failed
