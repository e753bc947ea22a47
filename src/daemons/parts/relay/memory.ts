// How the relay's bounds follow from the heap of this process: what is set for a large machine must not end a small one.
import type { RelayConfig } from '../../../config/index.js'
import { LISTED_HEAP_BYTES, LISTINGS_AT_ONCE } from '../../../relay/index.js'

/** Of the heap, for all clients together; the rest is for the relay itself, and for garbage. */
const CLIENTS = 0.35
/** Of the heap, for the sets that are listed at a time (NIP-77): two of them must not make memory short. */
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
