# shellcheck shell=sh
# $browser: a Chromium. Without one, or without Python, the test is skipped.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
for browser in chromium chromium-browser google-chrome google-chrome-stable none; do
  command -v $browser >/dev/null && break
done
[ $browser = none ] && { echo "skipped: no chromium"; exit 77; }
