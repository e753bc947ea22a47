// Says that a stored wallet has changed: in this window, and in the others of its origin.

export interface ChangeSignal {
  send(): void
  /** Returns how to end it. */
  watch(changed: () => void): () => void
  /** Idempotent. */
  close(): void
}

/** Within this window. What a listener throws ends no commit: it surfaces by itself. */
export function createChangeSignal(): ChangeSignal {
  const listeners = new Set<() => void>()
  return {
    send() {
      for (const listener of listeners) queueMicrotask(listener)
    },
    watch(changed) {
      // One entry per call: the same function may watch twice.
      const listener = (): void => (listeners.has(listener) ? changed() : undefined)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => listeners.clear(),
  }
}

/** In all windows of the origin that open this name; where there is no BroadcastChannel, in this one alone. */
export function openChangeSignal(name: string): ChangeSignal {
  const here = createChangeSignal()
  if (typeof BroadcastChannel === 'undefined') return here
  const channel = new BroadcastChannel(name)
  let isClosed = false
  channel.onmessage = () => here.send()
  return {
    ...here,
    send() {
      if (isClosed) return
      here.send()
      channel.postMessage('changed')
    },
    close() {
      isClosed = true
      here.close()
      channel.close()
    },
  }
}
