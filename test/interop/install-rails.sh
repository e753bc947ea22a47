#!/usr/bin/env bash
# Builds what the payment-rail tests need into $GRINPAY_ORACLES/bin (default ~/.cache/grinpay-oracles/bin): the relay
# `nostr-rs-relay` from the Rust package registry, unmodified but for one dependency, the payer of this folder, and the crate
# `negentropy` as a program.
# Needs a stable Rust; about 25 minutes on two idle cores the first time, nothing when they are already there.
# Debian packages used: build-essential pkg-config libssl-dev protobuf-compiler cmake.
#
#   install-rails.sh [relay|payer|negentropy]      default: all. The payer is rebuilt when its source has changed.
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
payer() {
  local sum; sum=$(cd "$HERE/payer" && find . -type f ! -name Cargo.lock ! -path './target/*' | sort | xargs sha256sum | sha256sum)
  [ -x "$ROOT/bin/grinpay-payer" ] && [ "$(cat "$ROOT/bin/grinpay-payer.sum" 2>/dev/null)" = "$sum" ] && { echo "grinpay-payer: already there"; return; }
  echo "grinpay-payer: building ..."
  # in a copy: cargo would leave its lock file beside the source
  cp -r "$HERE/payer" "$WORK/payer"
  (cd "$WORK/payer" && cargo build --release -j "${JOBS:-2}")
  install "$CARGO_TARGET_DIR/release/grinpay-payer" "$ROOT/bin/"
  echo "$sum" >"$ROOT/bin/grinpay-payer.sum"
}
negentropy() {
  [ -x "$ROOT/bin/negentropy-side" ] && { echo "negentropy-side: already there"; return; }
  cp -r "$HERE/negentropy" "$WORK/negentropy"
  (cd "$WORK/negentropy" && cargo build --release -j "${JOBS:-2}")
  install "$CARGO_TARGET_DIR/release/negentropy-side" "$ROOT/bin/"
}
case ${1:-all} in relay) relay ;; payer) payer ;; negentropy) negentropy ;; all) relay; payer; negentropy ;; *) echo "install-rails.sh [relay|payer|negentropy]" >&2; exit 2 ;; esac
