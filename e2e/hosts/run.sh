#!/bin/sh
# Installs the hosts and runs the tests here where no network is but loopback; whatever it starts ends with it.
# What stands behind it goes to vitest: npm run e2e:hosts -- -t Codex
set -e
cd "$(dirname "$0")/../.."
npm ci --prefix e2e/hosts --ignore-scripts
npm run build
exec timeout --kill-after 10 5400 unshare --map-root-user --net --pid --fork --kill-child --mount-proc \
  sh -c 'ip link set lo up && AGENT_HOSTS=1 npx vitest run e2e/hosts "$@"; exit $?' run "$@"
