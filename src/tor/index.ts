// The front door to the tor of this machine.
export { type Progress, readProgress } from './commands.js'
export { type ControlParts, openControl, type TorControl } from './control.js'
export { createOnionKeeper, type KeeperLog, type OnionKeeper, type OnionKeeperParts, type OnionState } from './onion.js'
export type { OpenStream, Stream, StreamListeners, TorEndpoint } from './stream.js'
