// A till of the sandbox that is paid by pasting only: its relay is a closed port, and no Foreign API listens.
export const NO_RAIL_ADDRESSES = { relayUrl: 'ws://127.0.0.1:9', foreignPort: 9 }
export const NO_RAILS = { PAY_CHECKOUT_METHODS: 'slatepack', PAY_GRIN1_RAIL: 'off' }

/** A till whose relay runs in its own process, on this port, and which knows no other. */
export const bundledRelay = (port: number) => ({
  ...NO_RAILS,
  PAY_CHECKOUT_METHODS: 'nostr,slatepack',
  PAY_RELAY_MODE: 'bundled',
  PAY_RELAYS: '',
  PAY_BUNDLED_RELAY_URL: `ws://127.0.0.1:${port}`,
  PAY_BUNDLED_RELAY_BIND: `127.0.0.1:${port}`,
})
