// The front door to the tor of this machine.
export { createOnionKeeper, type KeeperLog, type OnionKeeper, type OnionKeeperParts, type OnionState } from './onion.js'
export type { OpenStream, Stream, StreamListeners, TorEndpoint } from './stream.js'
