#!/bin/sh
# Pins every dependency of every extra at one version with its hashes, for all platforms, naming no registry.
# usage: lock.sh PATH-TO-UV
set -eu
cd "$(dirname "$0")/../.."
made=$(mktemp)
trap 'rm -f "$made"' EXIT
"$1" pip compile --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
  --all-extras --python-version 3.11 --quiet pyproject.toml --output-file "$made" >/dev/null
{
  echo "# Every dependency at one version with its hashes; made by 'make lock', read by 'make setup'."
  cat "$made"
} > constraints.txt
