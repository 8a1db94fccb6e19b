#!/usr/bin/env bash
# `npm run test:image`: the image and the Compose file on a real Docker engine. Arguments are Playwright's.
#
# The engine is its own where one can be started: in namespaces, so that the networks, ports and firewall rules of this machine stay
# as they are, and the kernel ends its containers and removes its mounts with it, however this script ends.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PATH:/usr/sbin:/sbin

run_tests() {
  node node_modules/playwright/cli.js test --config tests/image "$@"
}

# What runs in the namespaces, as their process 1.
inside() {
  work=$1
  shift
  # The way out, in user space; and a name server that answers also where the machine's listens on loopback only.
  nsenter --net=/proc/self/fd/8 slirp4netns --configure --disable-host-loopback --netns-type=path "/proc/$$/ns/net" tap0 &>"$work/network.log" &
  wait_until grep -q tap0 /proc/net/route || { cat "$work/network.log" >&2; return 1; }
  echo nameserver 10.0.2.3 >"$work/resolv.conf"
  mount --bind "$work/resolv.conf" /etc/resolv.conf
  # Before Docker 27 an engine has no IPv6 addresses of its own to give.
  echo '{ "default-address-pools": [{ "base": "172.30.0.0/16", "size": 24 }, { "base": "fd00:6c61::/104", "size": 112 }] }' >"$work/daemon.json"
  export DOCKER_HOST=unix://$work/docker.sock OWN_ENGINE=1
  dockerd --config-file "$work/daemon.json" --data-root "$work/data" --exec-root "$work/run" --pidfile "$work/dockerd.pid" \
    --host "$DOCKER_HOST" &>"$work/dockerd.log" &
  engine=$!
  wait_until docker version || { tail -20 "$work/dockerd.log" >&2; return 1; }
  status=0
  run_tests "$@" || status=$?
  kill $engine
  wait $engine || true
  return $status
}

# Tries a command for up to 30 seconds.
wait_until() {
  for _ in $(seq 150); do
    if "$@" &>/dev/null; then return; fi
    sleep 0.2
  done
  return 1
}

if [ "${1:-}" = --inside ]; then
  shift
  inside "$@"
  exit
fi

missing=()
for program in docker docker-compose dockerd debootstrap iptables slirp4netns; do
  command -v $program >/dev/null || missing+=($program)
done
[ "$(id -u)" = 0 ] || missing+=(root)
if ((${#missing[@]} == 0)); then
  work=$(mktemp -d)
  trap 'rm -rf --one-file-system "$work"' EXIT
  # The engine's way back to the network of this machine.
  exec 8</proc/self/ns/net
  setpriv --pdeathsig KILL unshare --net --mount --pid --fork --kill-child --mount-proc bash "$0" --inside "$work" "$@"
elif command -v docker >/dev/null && docker version &>/dev/null; then
  run_tests "$@"
else
  echo "Skipped: the image, for which Docker's engine has to run here, or to be started: ${missing[*]} missing."
  [ -z "${CI:-}" ]
fi
