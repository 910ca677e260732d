#!/bin/sh
# A document keeps what a run without data cannot say: its sections on cases that were skipped or not asked for.
# document.sh PROGRAM VALIDATE.LUA DOCUMENT
set -e
rm -rf document
mkdir document
cp "$3" document/validation.md
said=$("$1" run -q "$2" case=monai write=document)
[ "$said" = "monai: skipped: no data (data=DIR)" ] || { echo "it says: $said"; exit 1; }
cmp "$3" document/validation.md
