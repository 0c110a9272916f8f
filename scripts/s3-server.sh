#!/usr/bin/env bash
# A real S3 server on this machine for the tests of the archive in a bucket: one Ceph monitor, one store in memory and the
# object gateway, on loopback, with SSE-KMS (keys testkey-1 and testkey-2), STS and two users. Everything it holds is in one
# folder and gone when it stops.
#
#   scripts/s3-server.sh start FOLDER [PORT] [MONITOR_PORT]   prints the variables that the tests read, one a line
#   scripts/s3-server.sh stop FOLDER
#
# On Debian, as root, the packages are installed when they are absent.
set -euo pipefail

readonly PACKAGES=(ceph-mon ceph-osd ceph-common radosgw)
readonly DAEMONS=(client.rgw.one osd.0 mon.one)
readonly MEMORY_BYTES=$((2 * 1024 * 1024 * 1024))

main() {
  local verb="${1:-}" folder="${2:-}"
  [[ -n "$folder" ]] || usage
  mkdir -p "$folder"
  folder="$(cd "$folder" && pwd)"
  case "$verb" in
    start) start "$folder" "${3:-7490}" "${4:-13310}" ;;
    up) up "$folder" "$3" "$4" ;;
    stop) stop "$folder" ;;
    *) usage ;;
  esac
}

usage() {
  echo "usage: $0 start FOLDER [PORT] [MONITOR_PORT] | stop FOLDER" >&2
  exit 2
}

fail() {
  echo "s3-server: $*" >&2
  exit 1
}

start() {
  local folder="$1" port="$2" monitor_port="$3"
  [[ ! -e "$folder/ceph.conf" ]] || fail "$folder is in use: stop it first"
  require_packages
  # Also where a command of the store hangs, nobody waits longer.
  timeout 60 "$0" up "$folder" "$port" "$monitor_port" || fail "not up within 60 s, see $folder/log; then stop it"
  print_variables "$folder" "$port"
}

up() {
  local folder="$1" port="$2" monitor_port="$3"
  mkdir -p "$folder"/{mon,osd,rgw,run,log}
  local cluster
  cluster="$(cat /proc/sys/kernel/random/uuid)"
  write_configuration "$folder" "$port" "$monitor_port" "$cluster"
  start_store "$folder" "$monitor_port" "$cluster"
  start_gateway "$folder" "$port"
}

require_packages() {
  local command
  for command in ceph-mon ceph-osd ceph radosgw radosgw-admin monmaptool; do
    command -v "$command" >/dev/null || { install_packages && return; }
  done
}

install_packages() {
  [[ "$(id -u)" == 0 ]] && command -v apt-get >/dev/null ||
    fail "needs the Debian packages ${PACKAGES[*]}, and only root can install them"
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${PACKAGES[@]}"; } >&2
}

# Cephx is off everywhere: without auth_client_required and plain messenger modes the gateway waits for ever.
write_configuration() {
  local folder="$1" port="$2" monitor_port="$3" cluster="$4"
  cat >"$folder/ceph.conf" <<CONF
[global]
fsid = $cluster
mon_initial_members = one
mon_host = [v2:127.0.0.1:$monitor_port]
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
osd_crush_chooseleaf_type = 0
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
run_dir = $folder/run
pid_file = $folder/run/\$name.pid
admin_socket = $folder/run/\$name.asok
log_file = $folder/log/\$name.log
setuser_match_path =

[mon]
mon_data = $folder/mon
mon_data_avail_warn = 2
mon_data_avail_crit = 1
mon_cluster_log_file = $folder/log/cluster.log

[osd]
osd_data = $folder/osd
osd_objectstore = memstore
memstore_device_bytes = $MEMORY_BYTES
osd_class_load_list = *
osd_class_default_list = *

[client]
auth_client_required = none
ms_client_mode = crc
ms_mon_client_mode = crc
rgw_data = $folder/rgw
rgw_frontends = beast endpoint=127.0.0.1:$port tcp_nodelay=1
rgw_thread_pool_size = 32
rgw_enable_usage_log = false
rgw_enable_gc_threads = false
rgw_enable_lc_threads = false
rgw_s3_auth_use_sts = true
rgw_sts_key = $(random_text 16)
rgw_crypt_require_ssl = false
rgw_crypt_s3_kms_backend = testing
rgw_crypt_s3_kms_encryption_keys = testkey-1=$(random_key) testkey-2=$(random_key)
CONF
}

random_key() {
  head -c 32 /dev/urandom | base64
}

random_text() {
  head -c 64 /dev/urandom | base64 | tr -dc 'a-z0-9' | head -c "$1"
}

start_store() {
  local folder="$1" monitor_port="$2" cluster="$3"
  local conf="$folder/ceph.conf"
  {
    monmaptool --create --fsid "$cluster" --addv one "[v2:127.0.0.1:$monitor_port]" "$folder/monitors"
    ceph-mon -c "$conf" --mkfs -i one --monmap "$folder/monitors"
    ceph-mon -c "$conf" -i one
    ceph -c "$conf" osd create
    ceph-osd -c "$conf" -i 0 --mkfs --no-mon-config
    ceph -c "$conf" osd crush add osd.0 1.0 host=localhost root=default
    ceph-osd -c "$conf" -i 0
  } >"$folder/log/start.log" 2>&1 || fail "the store did not start, see $folder/log"
  wait_for 30 store_is_up "$conf" || fail "the store is not up after 30 s, see $folder/log"
}

store_is_up() {
  ceph -c "$1" osd stat 2>/dev/null | grep -q '1 up'
}

start_gateway() {
  local folder="$1" port="$2"
  radosgw -c "$folder/ceph.conf" -n client.rgw.one >>"$folder/log/start.log" 2>&1 ||
    fail "the gateway did not start, see $folder/log"
  wait_for 30 gateway_is_up "$port" || fail "the gateway is not up after 30 s, see $folder/log"
  add_user "$folder" archive ARCHIVEKEY
  add_user "$folder" stranger STRANGERKEY
}

gateway_is_up() {
  curl -sf "http://127.0.0.1:$1/" >/dev/null
}

add_user() {
  local folder="$1" name="$2" key="$3"
  radosgw-admin -c "$folder/ceph.conf" user create --uid="$name" --display-name="$name" \
    --access-key="$key" --secret="$(random_text 24 | tee "$folder/$name.secret")" >>"$folder/log/start.log" 2>&1 ||
    fail "no user could be made, see $folder/log"
}

print_variables() {
  local folder="$1" port="$2"
  cat <<VARIABLES
AGENT_COMPACT_S3_ENDPOINT=http://127.0.0.1:$port
AGENT_COMPACT_S3_CONF=$folder/ceph.conf
AGENT_COMPACT_S3_KEY=ARCHIVEKEY
AGENT_COMPACT_S3_SECRET=$(cat "$folder/archive.secret")
AGENT_COMPACT_S3_STRANGER_KEY=STRANGERKEY
AGENT_COMPACT_S3_STRANGER_SECRET=$(cat "$folder/stranger.secret")
VARIABLES
}

# Tries once in a fifth of a second.
wait_for() {
  local seconds="$1" attempt
  shift
  for ((attempt = 0; attempt < seconds * 5; attempt++)); do
    "$@" && return
    sleep 0.2
  done
  return 1
}

stop() {
  local folder="$1" daemon pid
  for daemon in "${DAEMONS[@]}"; do
    [[ -f "$folder/run/$daemon.pid" ]] || continue
    pid="$(cat "$folder/run/$daemon.pid")"
    end_process "$pid" "$folder"
  done
  rm -rf "$folder"
}

# Only one that still is ours: numbers of processes come again.
end_process() {
  local pid="$1" folder="$2" attempt
  [[ "$pid" =~ ^[0-9]+$ ]] && tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF "$folder/ceph.conf" || return 0
  kill -9 "$pid" 2>/dev/null || return 0
  for ((attempt = 0; attempt < 50; attempt++)); do
    [[ -d "/proc/$pid" ]] || return 0
    sleep 0.1
  done
}

main "$@"
