// The Nostr rail of a till with several instances: one of them listens and sends; the others make receiving keys and invoices all the same.
import type { Clock, Log } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import type { TillLoop } from '../loops.js'
import type { Bell, NostrHooks } from '../parts.js'
import type { MessageStore } from '../ports.js'
import { createAnnouncedKeys, watchAnnouncedKeys } from './announced-keys.js'
import type { NostrRail } from './index.js'
import { createKeyReserve } from './one-time-keys.js'

/** MessageSender were queued. */
const QUEUED = 'letters'
/** How long an answer waits for the relays to be asked for a new key. */
const PATIENCE_MS = 1000
const REPEAT_EVERY_MS = 10_000

export interface SharedRailParts {
  readonly bell: Bell
  readonly store: Pick<MessageStore, 'requeueMessage'>
  /** Of this process. */
  readonly workerId: string
  readonly identity: Secret<Uint8Array>
  readonly clock: Clock
  readonly random: RandomBytes
  readonly log: Pick<Log, 'warn'>
}

export interface SharedRail {
  /** What `createTill` takes from it. */
  readonly seams: Required<NostrHooks>
  readonly loops: readonly TillLoop[]
  /** While this instance is the one that listens: call it with its started rail. Answers what ends it. */
  use(rail: NostrRail): () => void
  /** Fills the reserve of keys in the background. */
  start(): void
  close(): void
}

export function createSharedRail({ bell, store, workerId, identity, clock, random, log }: SharedRailParts): SharedRail {
  const keys = createAnnouncedKeys({ bell, clock })
  const { settled } = keys
  // Unlike a key that a request waits for, one in reserve is ready only when its listener has answered.
  const reserve = createKeyReserve({
    watchSet: keys,
    settled,
    refillMs: Number.POSITIVE_INFINITY,
    identity,
    random,
    log,
  })
  let own: NostrRail | undefined

  function kick(): void {
    if (own) own.seams.messages.kick()
    else bell.ring(QUEUED)
  }

  return {
    seams: {
      oneTimeKeys: reserve,
      messages: {
        kick,
        async requeue(paymentId, draft) {
          if (own) return own.seams.messages.requeue(paymentId, draft)
          const answer = await store.requeueMessage(paymentId, draft, clock.now(), workerId)
          kick()
          return answer
        },
      },
      async watchEndpub({ id, epoch, pubkey }) {
        keys.add(new Map([[pubkey, { kind: 'endpub', userId: id, epoch }]]))
        await settled(PATIENCE_MS)
      },
      async watchInvoice({ id, recipientPubkey }) {
        keys.add(new Map([[recipientPubkey, { kind: 'invoice', invoiceId: id }]]), { known: true })
        await settled(PATIENCE_MS)
      },
      relayState: () => own?.state(),
    },
    loops: [{ name: 'announce receiving keys', everyMs: REPEAT_EVERY_MS, pass: keys.pass }],
    use(rail) {
      own = rail
      const stopKeys = watchAnnouncedKeys(bell, rail.listenTo)
      const stopListening = bell.listen((topic) => {
        if (topic === QUEUED || topic === undefined) rail.seams.messages.kick()
      })
      return () => {
        stopKeys()
        stopListening()
        if (own === rail) own = undefined
      }
    },
    start() {
      reserve.refill().catch(() => undefined)
    },
    close() {
      reserve.close()
      keys.close()
    },
  }
}
