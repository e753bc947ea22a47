// A till of the sandbox that is paid by pasting only: its relay is a closed port, and no Foreign API listens.
export const NO_RAIL_ADDRESSES = { relayUrl: 'ws://127.0.0.1:9', foreignPort: 9 }
export const NO_RAILS = { PAY_CHECKOUT_METHODS: 'slatepack', PAY_GRIN1_RAIL: 'off' }
