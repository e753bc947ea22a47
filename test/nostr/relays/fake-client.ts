// A client without a socket: what is subscribed can be looked at and answered by hand.

import type { RelayClient } from '../../../src/nostr/relays/client.js'
import type { RequestFilter } from '../../../src/nostr/relays/filters.js'
import type { Listener } from '../../../src/nostr/relays/subscriptions.js'

export interface Question {
  readonly sub: string
  readonly filters: readonly RequestFilter[]
  readonly listener: Listener
}

export function fakeClient() {
  const asked: Question[] = []
  const open = new Map<string, Question>()
  let auth: 'none' | 'pending' | 'done' = 'none'
  const client: RelayClient = {
    subs: {
      open(sub, filters, listener) {
        const question = { sub, filters, listener }
        asked.push(question)
        open.set(sub, question)
      },
      close: (sub) => void open.delete(sub),
      event: () => true,
      eose: () => undefined,
      closed: () => false,
      count: () => open.size,
    },
    send: () => undefined,
    authenticate: async () => 'none',
    publish: async () => ({ accepted: true, message: '' }),
    ask: async () => [],
    demandAuth: () => auth !== 'done',
    isAuthenticated: () => auth === 'done',
    roundTripMs: () => null,
    tick: () => undefined,
    start: () => undefined,
    close: () => undefined,
    terminate: () => undefined,
  }
  return {
    client,
    /** Every REQ so far. */
    asked,
    open,
    last: () => asked.at(-1),
    authenticate() {
      auth = 'done'
    },
  }
}
