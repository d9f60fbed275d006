#!/bin/sh
# Installs the Debian packages that are missing, and only those; does nothing where all are there.
# usage: debian-packages.sh run|test    (run: the demo and the kiosk; test: what the tests drive besides)
set -eu

run="mosquitto libmtdev1 libgl1 libegl1 libgles2 libgl1-mesa-dri"
test="$run mosquitto-clients xvfb xauth xclip xdotool chromium poppler-utils sqlite3 iproute2 systemd debootstrap faketime fdisk"
case "${1:-}" in
  run) wanted=$run ;;
  test) wanted=$test ;;
  *) echo "usage: $0 run|test" >&2; exit 2 ;;
esac

missing=""
for package in $wanted; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing="$missing $package"
done
# venv itself is asked, not dpkg: a Python from elsewhere brings its own.
python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
[ -n "$missing" ] || exit 0

echo "Installing what is missing:$missing" >&2
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "Needs root, or sudo, to install:$missing" >&2; exit 1; }
  as_root="sudo"
fi
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # the lists are words on purpose
$as_root apt-get update -q >/dev/null
# shellcheck disable=SC2086
$as_root apt-get install -q -y --no-install-recommends $missing >/dev/null
