#!/usr/bin/env bash
# A private Grin network on 127.0.0.1 for tests: one `grin` node (chain type usernet), one wallet "miner" whose listener
# receives the mining rewards, an on-demand miner, and as many further wallets as wanted. Nothing leaves the machine.
#
#   usernet.sh start  DIR            create DIR when new; start node + wallet "miner" listener; wait until both answer
#                                         (a stopped DIR starts over at height 0: a usernet node cannot be resumed)
#   usernet.sh mine   DIR [N=1]      mine N blocks now (reward to wallet "miner"), one JSON line per block
#   usernet.sh auto   DIR [SECS=5]   mine one block every SECS seconds in the background until `unauto` or `stop`
#   usernet.sh fund   DIR            mine until wallet "miner" can spend (4 blocks on a fresh chain)
#   usernet.sh status DIR            heights, pids, URLs as JSON
#   usernet.sh rpc    DIR METHOD [JSON-PARAMS]        node Foreign API v2, prints the Ok value
#   usernet.sh new-wallet DIR NAME [MNEMONIC]         make wallet NAME (password = $GRIN_PASS), from a mnemonic if given
#   usernet.sh w      DIR NAME ARGS...                run grin-wallet for wallet NAME, e.g.  w DIR bob address
#   usernet.sh pay    DIR NAME I1-FILE I2-FILE        `grin-wallet pay` with its typed confirmation answered
#   usernet.sh listen DIR NAME | unlisten DIR NAME    foreign listener (receive_tx ...) of wallet NAME on its port
#   usernet.sh owner  DIR NAME | unowner  DIR NAME    Owner API v3 of wallet NAME on its port
#   usernet.sh call   DIR NAME METHOD [JSON-PARAMS]   Owner API v3 call (starts `owner` when it is not running)
#   usernet.sh stop   DIR            stop everything that was started for DIR (by recorded pid)
#   usernet.sh clean  DIR            stop, then delete DIR
#
# Environment: GRINPAY_ORACLES (folder whose bin/ holds grin and grin-wallet; default ~/.cache/grinpay-oracles), GRIN_BASE (first of the ports used, default 23413, read by `start` of a
# new DIR only), GRIN_PAY_FLAGS (for `pay`, default -m), GRIN_PASS (wallet password, default "usernet"), GRIN_FOREIGN_SECRET=1 (node Foreign API wants Basic auth),
# GRIN_LOG (node file log level, default Info).
# Ports: BASE node API, BASE+1 p2p, BASE+3 stratum; wallet number k (miner = 0): BASE+10+2k listener, BASE+11+2k owner API.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
KIT=$HERE/grin-usernet
BIN=${GRINPAY_ORACLES:-$HOME/.cache/grinpay-oracles}/bin
PASS=${GRIN_PASS:-usernet}
die() { echo "grin-usernet: $*" >&2; exit 1; }
[ $# -ge 2 ] || { awk 'NR > 1 && !/^#/ { exit } NR > 1' "${BASH_SOURCE[0]}" >&2; exit 2; }
CMD=$1; mkdir -p "$2"; DIR=$(cd "$2" && pwd); shift 2
[ -x "$BIN/grin" ] && [ -x "$BIN/grin-wallet" ] || die "no grin / grin-wallet in $BIN (install-grin.sh puts them there)"

[ -f "$DIR/base" ] && BASE=$(cat "$DIR/base") || BASE=${GRIN_BASE:-23413}
API=$BASE P2P=$((BASE + 1)) STRATUM=$((BASE + 3))
wno() { local n; n=$(cat "$DIR/wallets/$1/number" 2>/dev/null) || die "no wallet '$1' (new-wallet first)"; echo "$n"; }
wport() { echo $((BASE + 10 + 2 * $(wno "$1"))); }
oport() { echo $((BASE + 11 + 2 * $(wno "$1"))); }
alive() { [ -f "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }
kill_pid() {
  alive "$1" || { rm -f "$1"; return 0; }
  local p; p=$(cat "$1"); kill "$p" 2>/dev/null || true
  for _ in $(seq 100); do kill -0 "$p" 2>/dev/null || break; sleep 0.1; done
  kill -9 "$p" 2>/dev/null || true; rm -f "$1"
}
spawn() { # PIDFILE LOG COMMAND...
  local pf=$1 log=$2; shift 2
  alive "$pf" && return 0
  setsid nohup "$@" >>"$log" 2>&1 </dev/null &
  echo $! >"$pf"
}
port_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
wait_port() { # PORT PIDFILE SECONDS
  for _ in $(seq $((10 * $3))); do port_open "$1" && return 0; alive "$2" || return 1; sleep 0.1; done; return 1
}
nodeargs() { [ -f "$DIR/node/foreign_secret_on" ] && echo "--secret-file $DIR/node/.foreign_api_secret"; true; }
rpc() { node "$KIT/owner.mjs" --plain --url "http://127.0.0.1:$API/v2/foreign" $(nodeargs) "$@"; }
# grin-wallet wants HOME for its Tor state: keep all of it below DIR
wallet() { local n=$1; shift; HOME=$DIR/home "$BIN/grin-wallet" --usernet -t "$DIR/wallets/$n" -p "$PASS" "$@"; }

make_node() {
  mkdir -p "$DIR/node" "$DIR/home" "$DIR/wallets"
  echo "$BASE" >"$DIR/base"
  local s; for s in .api_secret .foreign_api_secret; do
    [ -s "$DIR/node/$s" ] || head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' | head -c 20 >"$DIR/node/$s"
  done
  local fs='#'; rm -f "$DIR/node/foreign_secret_on"
  [ "${GRIN_FOREIGN_SECRET:-0}" = 1 ] && { fs=''; : >"$DIR/node/foreign_secret_on"; }
  sed -e "s|@DIR@|$DIR|g; s|@API@|$API|g; s|@P2P@|$P2P|g; s|@STRATUM@|$STRATUM|g; s|@WALLET@|$((BASE + 10))|g; s|@FSECRET@|$fs|; s|@LOGLEVEL@|${GRIN_LOG:-Info}|" \
    "$KIT/grin-server.toml.tmpl" >"$DIR/node/grin-server.toml"
}
new_wallet() { # NAME [MNEMONIC]
  local n=$1 m=${2:-} d=$DIR/wallets/$1
  [ -e "$d" ] && die "wallet '$n' exists"
  mkdir -p "$d"; ls "$DIR/wallets" | wc -l | awk '{print $1-1}' >"$d/number"
  if [ -n "$m" ]; then
    # `init -r` reads the phrase through a line editor that wants a terminal: `script` gives it one
    printf '%s\n' "$m" | HOME=$DIR/home script -qec "'$BIN/grin-wallet' --usernet -t '$d' -p '$PASS' init -r" /dev/null >"$d/init.log" 2>&1
  else
    wallet "$n" init >"$d/init.log" 2>&1
  fi
  [ -f "$d/grin-wallet.toml" ] || { cat "$d/init.log" >&2; die "wallet init failed"; }
  sed -i -e "s|^api_listen_port = .*|api_listen_port = $(wport "$n")|; s|^owner_api_listen_port = .*|owner_api_listen_port = $(oport "$n")|" \
    -e "s|^check_node_api_http_addr = .*|check_node_api_http_addr = \"http://127.0.0.1:$API\"|" \
    -e "s|^node_api_secret_path = .*|node_api_secret_path = \"$DIR/node/.foreign_api_secret\"|" \
    -e "s|^use_tor_listener = .*|use_tor_listener = false|; s|^skip_send_attempt = .*|skip_send_attempt = true|" \
    -e "s|^log_to_stdout = .*|log_to_stdout = false|" "$d/grin-wallet.toml"
}
listen() { spawn "$DIR/wallets/$1/listen.pid" "$DIR/wallets/$1/listen.log" env HOME="$DIR/home" "$BIN/grin-wallet" --usernet -t "$DIR/wallets/$1" -p "$PASS" listen -n
  wait_port "$(wport "$1")" "$DIR/wallets/$1/listen.pid" 60 || die "listener of '$1' did not come up: $(tail -3 "$DIR/wallets/$1/listen.log")"; }
owner() { spawn "$DIR/wallets/$1/owner.pid" "$DIR/wallets/$1/owner.log" env HOME="$DIR/home" "$BIN/grin-wallet" --usernet -t "$DIR/wallets/$1" owner_api
  wait_port "$(oport "$1")" "$DIR/wallets/$1/owner.pid" 60 || die "owner API of '$1' did not come up: $(tail -3 "$DIR/wallets/$1/owner.log")"; }
mine() { [ "$1" -gt 0 ] || return 0; node "$KIT/miner.mjs" --port "$STRATUM" --blocks "$1" --timeout $((30 + 30 * $1)); }

case $CMD in
start)
  [ -f "$DIR/node/grin-server.toml" ] && [ -z "${GRIN_FOREIGN_SECRET:-}" ] || make_node
  alive "$DIR/node/pid" || ! port_open "$API" || die "port $API is taken: set GRIN_BASE"
  if ! alive "$DIR/node/pid" && [ -d "$DIR/node/chain_data" ]; then
    # grin 5.5.2 cannot reopen a usernet chain (it looks for the unmined genesis header), so this is a new chain;
    # the wallets keep their seeds and forget their coins
    echo "grin-usernet: starting a NEW chain in $DIR (a stopped usernet node cannot be resumed)" >&2
    rm -rf "$DIR/node/chain_data" "$DIR"/wallets/*/wallet_data/db "$DIR"/wallets/*/wallet_data/saved_txs
  fi
  (cd "$DIR/node" && HOME=$DIR/home spawn "$DIR/node/pid" "$DIR/node/stdout.log" "$BIN/grin" --usernet --no-tui server -c "$DIR/node/grin-server.toml" run)
  wait_port "$API" "$DIR/node/pid" 60 || die "node did not come up: $(tail -5 "$DIR/node/stdout.log")"
  [ -d "$DIR/wallets/miner" ] || new_wallet miner "${GRIN_MINER_MNEMONIC:-}"
  listen miner
  wait_port "$STRATUM" "$DIR/node/pid" 60 || die "stratum did not come up"
  for _ in $(seq 100); do rpc get_tip >/dev/null 2>&1 && break; sleep 0.1; done
  rpc get_tip ;;
mine) mine "${1:-1}" ;;
auto) spawn "$DIR/node/auto.pid" "$DIR/node/auto.log" bash -c 'while :; do node "$1" --port "$2" --blocks 1 --timeout 300; sleep "$3"; done' auto "$KIT/miner.mjs" "$STRATUM" "${1:-5}" ;;
unauto) alive "$DIR/node/auto.pid" && kill -- "-$(cat "$DIR/node/auto.pid")" || true; rm -f "$DIR/node/auto.pid" ;;
fund)
  h=$(rpc get_tip | node -pe 'JSON.parse(require("fs").readFileSync(0)).height')
  [ "$h" -ge 4 ] || mine $((4 - h)); wallet miner info -c 1 ;;
status)
  node -e '
    const fs=require("fs"),p=process.argv,d=p[1],base=+p[2];const pid=f=>{try{const n=+fs.readFileSync(f,"utf8");process.kill(n,0);return n}catch{return null}};
    const w={};try{for(const n of fs.readdirSync(d+"/wallets")){const k=+fs.readFileSync(`${d}/wallets/${n}/number`,"utf8");
      w[n]={listen_pid:pid(`${d}/wallets/${n}/listen.pid`),listen_url:`http://127.0.0.1:${base+10+2*k}/v2/foreign`,owner_pid:pid(`${d}/wallets/${n}/owner.pid`),owner_url:`http://127.0.0.1:${base+11+2*k}/v3/owner`}}}catch{}
    console.log(JSON.stringify({dir:d,node_pid:pid(d+"/node/pid"),node_url:`http://127.0.0.1:${base}`,stratum:`127.0.0.1:${base+3}`,wallets:w},null,2))' "$DIR" "$BASE"
  rpc get_tip 2>/dev/null || true ;;
rpc) rpc "$@" ;;
new-wallet) new_wallet "$@"; wallet "$1" address | grep grin1 ;;
w) n=$1; shift; wno "$n" >/dev/null; wallet "$n" "$@" ;;
pay)
  # the prompt wants the invoice amount typed with all nine decimals, on a terminal
  amt=$(wallet "$1" unpack -i "$2" | grep -o '"amt": "[0-9]*"' | tr -dc 0-9)
  printf '%d.%09d\n' $((amt / 1000000000)) $((amt % 1000000000)) | HOME=$DIR/home script -qec \
    "'$BIN/grin-wallet' --usernet -t '$DIR/wallets/$1' -p '$PASS' pay ${GRIN_PAY_FLAGS--m} -c ${GRIN_MIN_CONF:-1} -i '$2' -u '$3'" /dev/null
  # with other flags it may have delivered the answer by itself
  [ -s "$3" ] || [ "${GRIN_PAY_FLAGS--m}" != -m ] || die "pay wrote no answer" ;;
listen) listen "$1" ;;
unlisten) kill_pid "$DIR/wallets/$1/listen.pid" ;;
owner) owner "$1" ;;
unowner) kill_pid "$DIR/wallets/$1/owner.pid" ;;
call) n=$1; shift; owner "$n"
  node "$KIT/owner.mjs" --url "http://127.0.0.1:$(oport "$n")" --secret-file "$DIR/wallets/$n/.owner_api_secret" --pass "$PASS" "$@" ;;
stop | clean)
  alive "$DIR/node/auto.pid" && kill -- "-$(cat "$DIR/node/auto.pid")" || true; rm -f "$DIR/node/auto.pid"
  for f in "$DIR"/wallets/*/owner.pid "$DIR"/wallets/*/listen.pid "$DIR/node/pid"; do [ -f "$f" ] && kill_pid "$f"; done
  [ "$CMD" = stop ] || rm -rf "$DIR" ;;
*) die "unknown command $CMD" ;;
esac
