// How the relay's bounds follow from the heap of this process: what is set for a large machine must not end a small one.
import type { RelayConfig } from '../../config/index.js'

/** Of the heap, for all clients together; the rest is for the relay itself, and for garbage. */
const CLIENTS = 0.35

/** `heapLimit` in bytes. The settings are upper bounds. */
export function fitToHeap(config: RelayConfig, heapLimit: number): RelayConfig {
  const { limits } = config.relay
  const maxClientBytes = Math.min(limits.maxClientBytes, Math.floor(heapLimit * CLIENTS))
  const maxPendingBytes = Math.min(limits.maxPendingBytes, Math.floor(maxClientBytes / 4))
  return { ...config, relay: { ...config.relay, limits: { ...limits, maxClientBytes, maxPendingBytes } } }
}
