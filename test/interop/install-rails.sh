#!/usr/bin/env bash
# Builds what the payment-rail tests need into $GRINPAY_ORACLES/bin (default ~/.cache/grinpay-oracles/bin): the relay
# `nostr-rs-relay` from the Rust package registry, unmodified but for one dependency, the payer of this folder, the crate
# `negentropy` as a program, relay clients on rust-nostr and go-nostr, and the reference for fresh cases of the Grin library.
# Needs a stable Rust, and Go for the last one; about 30 minutes on two idle cores the first time, nothing when they are already there.
# Debian packages used: build-essential pkg-config libssl-dev protobuf-compiler cmake.
#
#   install-rails.sh [relay|payer|negentropy|rust-client|go-client|reference]      default: all. Payer, clients and reference are rebuilt when their source
#   has changed.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=${GRINPAY_ORACLES:-$HOME/.cache/grinpay-oracles}
RELAY=0.8.12
mkdir -p "$ROOT/bin"
need=(); for p in build-essential pkg-config libssl-dev protobuf-compiler cmake; do dpkg -s "$p" >/dev/null 2>&1 || need+=("$p"); done
[ ${#need[@]} -eq 0 ] || { apt-get update -qq; apt-get install -y -qq "${need[@]}"; }
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$ROOT/target}
export CARGO_PROFILE_RELEASE_OPT_LEVEL=${OPT_LEVEL:-1} CARGO_PROFILE_RELEASE_STRIP=true CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
WORK=$(mktemp -d); trap 'rm -rf "$WORK"' EXIT

relay() {
  [ -x "$ROOT/bin/nostr-rs-relay" ] && { echo "nostr-rs-relay: already there"; return; }
  echo "nostr-rs-relay: building $RELAY ..."
  # asking about a crate makes cargo unpack its source
  (cd "$WORK" && cargo info -q "nostr-rs-relay@$RELAY" >/dev/null)
  cp -r "$(ls -d "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/nostr-rs-relay-$RELAY | head -1)" "$WORK/relay"
  # its lock file pins a `time` that today's compiler refuses
  (cd "$WORK/relay" && cargo update -q -p time@0.3.25 --precise 0.3.36 && cargo build --release --locked -j "${JOBS:-2}")
  install "$CARGO_TARGET_DIR/release/nostr-rs-relay" "$ROOT/bin/"
}
# a program of ours in one of these folders: `own FOLDER PROGRAM COMMAND…` builds it in a copy, as cargo would leave its lock file beside the source
own() {
  local folder=$1 program=$2 sum; shift 2
  sum=$(cd "$HERE/$folder" && find . -type f ! -name Cargo.lock ! -path './target/*' | sort | xargs sha256sum | sha256sum)
  [ -x "$ROOT/bin/$program" ] && [ "$(cat "$ROOT/bin/$program.sum" 2>/dev/null)" = "$sum" ] && { echo "$program: already there"; return; }
  echo "$program: building ..."
  cp -r "$HERE/$folder" "$WORK/$folder"
  (cd "$WORK/$folder" && "$@")
  echo "$sum" >"$ROOT/bin/$program.sum"
}
rusty() { cargo build --release -j "${JOBS:-2}" && install "$CARGO_TARGET_DIR/release/$1" "$ROOT/bin/"; }
payer() { own payer grinpay-payer rusty grinpay-payer; }
reference() { own reference grinpay-reference rusty grinpay-reference; }
rust_client() { own rust-client grinpay-rust-client rusty grinpay-rust-client; }
go_client() {
  local go; go=$(command -v go || ls /usr/local/go/bin/go 2>/dev/null) || { echo "grinpay-go-client: skipped, there is no Go"; return; }
  own go-client grinpay-go-client "$go" build -o "$ROOT/bin/grinpay-go-client" .
}
negentropy() {
  [ -x "$ROOT/bin/negentropy-side" ] && { echo "negentropy-side: already there"; return; }
  cp -r "$HERE/negentropy" "$WORK/negentropy"
  (cd "$WORK/negentropy" && cargo build --release -j "${JOBS:-2}")
  install "$CARGO_TARGET_DIR/release/negentropy-side" "$ROOT/bin/"
}
case ${1:-all} in
  relay | payer | negentropy | reference) "$1" ;;
  rust-client | go-client) "${1/-/_}" ;;
  all) relay; payer; negentropy; rust_client; go_client; reference ;;
  *) echo "install-rails.sh [relay|payer|negentropy|rust-client|go-client|reference]" >&2; exit 2 ;;
esac
