// The front door to the tor of this machine.

export { readProgress } from './commands.js'
export { openControl, type TorControl } from './control.js'
export { createOnionKeeper, type OnionKeeperParts, type OnionState } from './onion.js'
