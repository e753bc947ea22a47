// Which keys get a name in this process: the relay's write policy forgets at once that they had none.
import type { NameStore } from '../../../authority/index.js'

type Listener = (pubkey: string) => void

export interface NameNews {
  /** The same store; a claim that it made durable is announced before its answer. */
  tapped<Store extends Pick<NameStore, 'claimName'>>(store: Store): Store
  onNamed(listener: Listener): void
}

/** Sales have no part in it: transfers never run inside a relay (specification: names, 1). */
export function createNameNews(): NameNews {
  const listeners = new Set<Listener>()
  return {
    tapped: (store) => ({
      ...store,
      async claimName(claim) {
        const outcome = await store.claimName(claim)
        if (outcome.outcome === 'claimed') for (const listener of listeners) listener(claim.pubkey)
        return outcome
      },
    }),
    onNamed: (listener) => void listeners.add(listener),
  }
}
