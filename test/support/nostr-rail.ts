// The inbound half of the Nostr rail on a till of fakes: real envelopes, a clock that stands still, messages that only count.

import type { RandomBytes } from '../../src/lib/random-bytes.js'
import { Secret } from '../../src/lib/secret.js'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { openWrap, wrapMessage } from '../../src/nostr/gift-wrap/index.js'
import type { Invoice, MessageDraft } from '../../src/till/index.js'
import { createInbox } from '../../src/till/nostr/inbox.js'
import { createIngest, type IngestParts } from '../../src/till/nostr/ingest.js'
import { secretFor, storedOwner } from '../../src/till/nostr/owners.js'
import type { Text } from '../../src/till/nostr/texts.js'
import { armored } from './fake-wallet.js'
import { keyPairOf, seededRandom } from './nostr.js'
import { grin, WORKER } from './till-builders.js'
import { type FakeTillOptions, MASTER, type OpenedTill, openTill } from './till-parts.js'

export const RELAY = 'wss://relay.example'
export const ANNA = keyPairOf('anna')
export const BEN = keyPairOf('ben')

const IDENTITY = new Secret(MASTER)

interface OutgoingMessage {
  readonly content: string
  readonly to: string
  readonly from?: ReturnType<typeof keyPairOf>
  readonly tags?: readonly (readonly string[])[]
  readonly version?: 2 | 3
  /** Two wraps of the very same message differ in this. */
  readonly seed?: string
  /** Epoch milliseconds of the message itself. */
  readonly at?: number
}

let wrapped = 0

/** A gift wrap as a payer's wallet makes it. */
export function wrapOf({
  content,
  to,
  from = ANNA,
  tags = [],
  version = 2,
  seed,
  at = 0,
}: OutgoingMessage): NostrEvent {
  wrapped += 1
  const random: RandomBytes = seededRandom(seed ?? `wrap ${wrapped}`)
  return wrapMessage({
    content,
    tags,
    sender: from.secret,
    receiver: to,
    version,
    now: at || 1_782_907_200_000 + wrapped * 1000,
    random,
  }).wrap
}

/** What a relay may send to a key without anybody having to open it: costs a test nothing. */
export const junkTo = (to: string): NostrEvent => {
  wrapped += 1
  const id = wrapped.toString(16).padStart(64, '0')
  return { id, pubkey: id, created_at: 1, kind: 1059, tags: [['p', to]], content: 'junk', sig: `${id}${id}` }
}

/** Another signature under the same event. */
export const forgeryOf = (wrap: NostrEvent): NostrEvent => {
  const { created_at, kind, tags, content } = wrap
  const other = signEvent({ created_at, kind, tags, content }, BEN.secret, seededRandom('forger'))
  return { ...wrap, sig: other.sig }
}

/** What starts anew with the program, on a till whose store stays. */
export function startRail(opened: OpenedTill, over: Partial<IngestParts> = {}) {
  const { till, store, clock, wallet, log } = opened
  const inbox = createInbox(clock)
  const seen = {
    texts: [] as Text[],
    blamed: [] as string[],
    refetched: [] as string[],
    kicks: 0,
    unwraps: 0,
    asked: [] as string[],
  }
  const write = (level: 'info' | 'warn' | 'error') => (fields: object, text: string) =>
    void log.push({ level, fields: { ...fields }, text })
  const ingest = createIngest({
    inbox,
    store,
    till,
    wallet,
    clock,
    mainPubkey: till.identity.pubkey,
    findSecret: async (pubkey) => {
      if (pubkey === till.identity.pubkey) return IDENTITY
      const owner = await storedOwner(store, pubkey)
      return owner && secretFor(IDENTITY, owner)
    },
    openWrap(wrap, secret) {
      seen.unwraps += 1
      return wrap.content === 'junk' ? { refusal: 'unreadable' } : openWrap(wrap, secret)
    },
    messages: {
      kick() {
        seen.kicks += 1
      },
      requeue: (paymentId: string, draft: MessageDraft) => store.requeueMessage(paymentId, draft, clock.now(), WORKER),
    },
    relays: { blame: (relay) => void seen.blamed.push(relay), refetch: (keys) => void seen.refetched.push(...keys) },
    sendText: (text) => void seen.texts.push(text),
    expectReply: (payer) => void seen.asked.push(payer),
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    ...over,
  })
  return {
    inbox,
    ingest,
    seen,
    /** Wraps arrive all at once; resolves when nothing more can be done about them now. */
    async deliver(...wraps: readonly NostrEvent[]) {
      for (const wrap of wraps) {
        inbox.offer(wrap, RELAY)
        ingest.kick()
      }
      await ingest.idle()
    },
    /** Time goes by in steps, so that what waits gets its turn. */
    async wait(ms: number, step = ms) {
      for (let gone = 0; gone < ms; gone += step) {
        await clock.advance(step)
        await ingest.idle()
      }
    },
  }
}

export function openRail(options: FakeTillOptions = {}) {
  const opened = openTill(options)
  const { till, store, log } = opened
  return {
    ...opened,
    ...startRail(opened),
    invoice: async (over: object = {}): Promise<Invoice> =>
      (await till.createInvoice({ amountNanogrin: grin(2), ...over })).invoice,
    payments: async () => (await store.listPayments({ limit: 100 })).items,
    reply: (paymentId: string) => store.messageOfPayment(paymentId, 'reply'),
    status: async ({ id }: Invoice) => (await till.findInvoice(id))?.status,
    loggedCodes: () => log.flatMap(({ fields }) => (typeof fields.code === 'string' ? [fields.code] : [])),
  }
}

/** A payment message in the Goblin layout. */
export const paymentText = (slate: string): string =>
  `[Goblin] GRIN payment message \u2014 open in Goblin (https://goblin.st) to process.\n\n${armored(slate)}`
