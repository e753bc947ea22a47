// A relay's view in memory: what its pages are tested and looked at with. Everything may be replaced.
import type { RelayHour } from '../../src/relay/console/history.js'
import type { RelayActivity, RelayFacts, RelayFigures, RelayView, StoredAnswer } from '../../src/relay/console/view.js'
import { type ListChange, NO_LISTS, type OperatorLists } from '../../src/relay/policy/index.js'
import { DAY, HOUR, MINUTE, NOON } from './till-builders.js'

const HEX = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90'
export const NPUB = 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg'
export const BANNED = { key: HEX, address: '2001:db8::/32', event: 'f'.repeat(64) }

const KINDS = new Map([
  [1059, 182_340],
  [0, 1204],
  [10_002, 980],
  [10_050, 977],
  [1, 12],
  [24_140, 311],
])

export const FIGURES: RelayFigures = {
  at: NOON,
  startedAt: NOON - 2 * DAY,
  connections: 1843,
  connected: 91_204,
  subscriptions: 2711,
  held: 3,
  signatures: 1,
  signatureCheck: 'native, 2 threads',
  readers: { answered: 48_120, waiting: 0, replaced: 0 },
  accepted: 185_824,
  refused: 4120,
  kinds: KINDS,
  refusals: new Map([
    ['blocked: event kind not accepted by this relay', 3811],
    ['invalid: bad signature', 204],
    ['blocked: this relay accepts public notes only from authorized authors', 88],
    ['rate-limited: too many events a minute', 17],
  ]),
  liveDeliveries: 201_733,
  bytesIn: 1_204_118_220,
  bytesOut: 2_733_009_120,
  lagSeconds: { p99: 0.0031, max: 0.018 },
  memoryBytes: 214_000_000,
}

const hours = (): readonly RelayHour[] =>
  Array.from({ length: 24 }, (_, at) => ({
    start: NOON - (23 - at) * HOUR,
    accepted: Math.round(2000 + 1500 * Math.sin(at / 4)),
    refused: at * 3,
    kinds: new Map([
      [1059, Math.round(1900 + 1400 * Math.sin(at / 4))],
      [0, 20],
    ]),
  }))

export const ACTIVITY: RelayActivity = {
  figures: FIGURES,
  unknown: '',
  rate: { perSecond: 4.27, overSeconds: 10 },
  past: { since: NOON - 2 * DAY, hours: hours() },
  checks: ['database', 'relay-lists', 'signatures'].map((name) => ({
    name,
    ok: true,
    detail: '',
    since: NOON - 2 * DAY,
    informative: false,
  })),
  disk: { free: 31_200_000_000, size: 80_000_000_000 },
}

export const STORED: StoredAnswer = {
  stored: {
    at: NOON - 4 * MINUTE,
    events: 1_204_882,
    expiring: 210,
    bytes: 1_930_000_000,
    fileBytes: 1_990_000_000,
    logBytes: 12_582_912,
    kinds: [...KINDS].map(([kind, events]) => ({ kind, events: events * 6 })),
    oldest: (NOON - 300 * DAY) / 1000,
    newest: NOON / 1000,
  },
  problem: undefined,
}

const FACTS: RelayFacts = {
  relayUrls: ['wss://relay.example'],
  bind: { host: '127.0.0.1', port: 7777 },
  dbPath: '/var/lib/grinpay-relay/relay.db',
  durability: 'commit',
  retention: { days: 365, maxEvents: undefined, maxBytes: undefined, kinds: [], keepAuthors: ['a', 'b'] },
}

export interface FakeRelay {
  readonly open: () => Promise<RelayView>
  readonly mark: () => string
  factsNow: RelayFacts
  readonly bannedKeys: Map<string, { readonly reason: string; readonly since: number }>
  readonly done: (ListChange & { readonly by: string })[]
  activityNow: RelayActivity
  storedNow: StoredAnswer
  markNow: number
}

/** `text` stands wherever clients, plugins or operators may write. */
export function createFakeRelay(text = 'spam, thousands a day'): FakeRelay {
  const listed = { reason: text, since: NOON - DAY }
  const bannedKeys = new Map([[BANNED.key, listed]])
  const lists: OperatorLists = {
    ...NO_LISTS,
    bannedKeys,
    blockedAddresses: new Map([[BANNED.address, { reason: text, since: 0 }]]),
    bannedEvents: new Map([[BANNED.event, listed]]),
    allowedKinds: new Map([['4', listed]]),
  }
  const relay: FakeRelay = {
    open: async () => ({
      facts: relay.factsNow,
      activity: async () => relay.activityNow,
      stored: async () => relay.storedNow,
      lists: async () => lists,
      change: async (change, by) => void relay.done.push({ ...change, by }),
      observe: async () => undefined,
    }),
    mark: () => String(relay.markNow),
    factsNow: FACTS,
    bannedKeys,
    done: [],
    activityNow: ACTIVITY,
    storedNow: STORED,
    markNow: 1,
  }
  return relay
}
