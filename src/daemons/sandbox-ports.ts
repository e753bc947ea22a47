// Default ports of the sandbox; its commands expect it there.
export const USUAL_PORT = 8420
export const USUAL_NODE_PORT = 8421
export const USUAL_RELAY_PORT = 8422
export const USUAL_FOREIGN_PORT = 8423
export const USUAL_NAMES_PORT = 8424
export const USUAL_CONSOLE_PORT = 8425
