// Reduces the relay's limits to the heap of this process: settings for a large machine must not exhaust a small one.
import type { RelayConfig } from '../../../config/index.js'
import { LISTED_HEAP_BYTES, LISTINGS_AT_ONCE } from '../../../relay/index.js'

/** Share of the heap for all clients; the rest is for the relay and for garbage. */
const CLIENTS = 0.35
/** Share of the heap for concurrent set listings (NIP-77), which must not make memory short. */
const LISTINGS = 0.15

/** `heapLimit` in bytes. The settings are upper bounds. */
export function fitToHeap(config: RelayConfig, heapLimit: number): RelayConfig {
  const { limits, negentropy } = config.relay
  const maxClientBytes = Math.min(limits.maxClientBytes, Math.floor(heapLimit * CLIENTS))
  const maxPendingBytes = Math.min(limits.maxPendingBytes, Math.floor(maxClientBytes / 4))
  const fitting = Math.max(1, Math.floor((heapLimit * LISTINGS) / (LISTINGS_AT_ONCE * LISTED_HEAP_BYTES)))
  const maxSyncEvents = Math.min(negentropy.maxSyncEvents, fitting)
  return {
    ...config,
    relay: {
      ...config.relay,
      limits: { ...limits, maxClientBytes, maxPendingBytes },
      negentropy: { ...negentropy, maxSyncEvents },
    },
  }
}
