// The Nostr rail, put together: what is listened to, what comes in, what goes out. It owns no timers: the composition runs the loops.
import { messageOf } from '../../lib/errors.js'
import type { Secret } from '../../lib/secret.js'
import type { NostrEvent } from '../../nostr/event/index.js'
import { publicKeyOf } from '../../nostr/keys/index.js'
import { normalRelayUrl } from '../../nostr/relays/index.js'
import type { RailsState, TillSettings } from '../api.js'
import type { TillLoop } from '../loops.js'
import type { NostrHooks, TillParts } from '../parts.js'
import { createInbox } from './inbox.js'
import { createIngest, type IngestParts } from './ingest.js'
import { createMessageSender } from './message-sender.js'
import { createKeyReserve } from './one-time-keys.js'
import type { Owner } from './owners.js'
import type { Relays } from './ports.js'
import { createPublication } from './publication.js'
import { createRelayLists } from './relay-lists.js'
import { createTexts } from './texts.js'
import { createWatchSet } from './watch-set.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Wraps are fetched three days back; a mark outlives them by a day. */
const SEEN_MS = 96 * HOUR
const FORGET_BATCH = 5000
const FORGET_ROUNDS = 40
/** How long an answer waits for the relays to be asked for a new key. */
const PATIENCE_MS = 1000

/** What the relay pool asks of the rail. */
export interface RelayHooks {
  /** 64 hex. */
  readonly mainPubkey: string
  /** The relays of the settings, each once and in normal form. */
  readonly urls: readonly string[]
  /** The secret of a key that is listened to, for NIP-42. */
  readonly secretOf: (pubkey: string) => Secret<Uint8Array> | undefined
  /** A gift wrap to a key that is listened to; false: no room now. */
  readonly onWrap: (wrap: NostrEvent, relay: string) => boolean
}

export interface NostrRailParts
  extends Pick<TillParts, 'store' | 'workerId' | 'wallet' | 'identity' | 'clock' | 'random' | 'log'> {
  /** The till's own verbs; called only after `start`. */
  readonly till: IngestParts['till']
  /** Makes the pool; called once, at once. */
  readonly openRelays: (hooks: RelayHooks) => Relays
  readonly settings: Pick<TillSettings, 'relays' | 'merchantPubkey' | 'overlapEpochs'>
  /** One of several instances: each has a reserve of keys of its own (shared-rail.ts), and this rail has none. */
  readonly isShared?: boolean | undefined
}

export interface NostrRail {
  /** What `createTill` takes from the rail. */
  readonly seams: Required<NostrHooks>
  /** Fills the watch set, then connects; resolves without waiting for a relay. */
  start(): Promise<void>
  readonly loops: readonly TillLoop[]
  /** Listens to keys that another instance made; resolves when the relays are asked, or after a short while. */
  listenTo(keys: ReadonlyMap<string, Owner>, options: { readonly known: boolean }): Promise<void>
  state(): RailsState
  /** Stops receiving and sending, waits briefly for running work, then disconnects. Call it before the store is closed. */
  close(): Promise<void>
}

/** Nothing connects and nothing runs before `start`. */
export function createNostrRail(parts: NostrRailParts): NostrRail {
  const { store, identity, clock, random, settings, log } = parts
  const mainPubkey = publicKeyOf(identity)
  const urls = [...new Set(settings.relays.flatMap((url) => normalRelayUrl(url) ?? []))]
  const inbox = createInbox(clock)
  const relays = parts.openRelays({
    mainPubkey,
    urls,
    secretOf: (pubkey) => watchSet.secretOf(pubkey),
    onWrap(wrap, relay) {
      const taken = inbox.offer(wrap, relay)
      ingest.kick()
      return taken
    },
  })
  const watchSet = createWatchSet({
    store,
    relays,
    identity,
    mainPubkey,
    overlapEpochs: settings.overlapEpochs ?? 1,
    clock,
    log,
  })
  const settled = (ms: number) => relays.settled(ms)
  const oneTimeKeys = createKeyReserve({ watchSet, settled, identity, random, log })
  const relayLists = createRelayLists({ relays, urls, clock })
  const { findSecret } = watchSet
  const out = { relays, relayLists, urls, findSecret, clock, random, log }
  const messages = createMessageSender({
    ...out,
    store,
    workerId: parts.workerId,
    mainPubkey,
    merchantPubkey: settings.merchantPubkey,
  })
  const texts = createTexts(out)
  const publication = createPublication({ relays, urls, identity, mainPubkey, clock, random, log })
  const ingest = createIngest({
    inbox,
    store,
    till: parts.till,
    wallet: parts.wallet,
    mainPubkey,
    findSecret,
    relays,
    expectReply: relayLists.lookAhead,
    messages,
    sendText: texts.sendText,
    clock,
    log,
  })

  async function forgetSeen(): Promise<void> {
    for (let round = 0; round < FORGET_ROUNDS; round += 1)
      if ((await store.forgetSeen(clock.now() - SEEN_MS, FORGET_BATCH)) < FORGET_BATCH) return
  }

  function state(): RailsState {
    const { outcomes, retrying, inbox: queue } = ingest.state()
    const { waiting, dropped } = queue
    return { relays: relays.health(), inbox: { waiting, retrying, dropped, outcomes } }
  }

  return {
    seams: {
      oneTimeKeys,
      messages,
      async watchEndpub({ id, epoch, pubkey }) {
        watchSet.add(new Map([[pubkey, { kind: 'endpub', userId: id, epoch }]]))
        await settled(PATIENCE_MS)
      },
      async watchInvoice({ id, recipientPubkey }) {
        watchSet.add(new Map([[recipientPubkey, { kind: 'invoice', invoiceId: id }]]), { known: true })
        await settled(PATIENCE_MS)
      },
      relayState: state,
    },
    async start() {
      await watchSet.rebuild()
      relays.start()
      if (!parts.isShared)
        oneTimeKeys.refill().catch((cause: unknown) => log.warn({ cause: messageOf(cause) }, 'no keys in reserve'))
      messages.kick()
    },
    loops: [
      { name: 'send letters', everyMs: 5 * SECOND, pass: messages.drain },
      { name: 'fetch dropped messages', everyMs: 5 * SECOND, pass: ingest.pass },
      { name: 'publish relay lists', everyMs: 5 * SECOND, pass: publication.pass },
      { name: 'rebuild the watch set', everyMs: 10 * MINUTE, pass: watchSet.rebuild },
      { name: 'forget old messages', everyMs: HOUR, pass: forgetSeen },
    ],
    async listenTo(keys, options) {
      watchSet.keep(keys, options)
      await settled(PATIENCE_MS)
    },
    state,
    async close() {
      oneTimeKeys.close()
      texts.close()
      await Promise.all([ingest.close(), messages.close()])
      await relays.close()
    },
  }
}
