#!/bin/sh
# Makes the secrets of scale-out.yaml, in files beside this script. Secrets that are there stay as they are.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
random() { od -A n -t x1 -N 32 /dev/urandom | tr -d ' \n'; }
make() { [ -e "secrets/$1" ] || printf '%s' "$2" >"secrets/$1"; }
make heddle-key "heddle$(random)"
make clickhouse-password "$(random)"
make postgres-password "$(random)"
make objects-password "$(random)"
make clickhouse-url "http://heddle:$(cat secrets/clickhouse-password)@clickhouse:8123"
make database-url "postgres://heddle:$(cat secrets/postgres-password)@postgres:5432/heddle"
# The containers, which have users of their own, get each file by a mount; on this machine only the owner of the folder reaches them.
chmod 0700 secrets
chmod 0444 secrets/*
