#!/bin/sh
# Makes oakum-VERSION.vsix in this folder: installs what it is built with, checks types, bundles, packs.
set -eu
cd "$(dirname "$0")"
cp ../../../LICENSE LICENSE
trap 'rm -f LICENSE' EXIT
npm ci --no-audit --no-fund
npx vsce package --no-dependencies
