// A relay's desk in memory: what its pages are tested and looked at with. Everything may be replaced.
import type {
  RelayActivity,
  RelayDesk,
  RelayFigures,
  RelayHour,
  RelayListChange,
  RelayListEntry,
  RelayListName,
  RelaySetup,
  StoredAnswer,
} from '../../src/console/pages/relay/desk.js'
import { LIST_NAMES } from '../../src/console/pages/relay/desk.js'
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
    oldest: NOON - 300 * DAY,
    newest: NOON,
  },
  problem: undefined,
}

const SETUP: RelaySetup = {
  name: 'Relay of the reading circle',
  addresses: ['wss://relay.example'],
  database: '/var/lib/grinpay-relay/relay.db',
  durability: 'commit',
  retention: { days: 365, maxEvents: undefined, maxBytes: undefined, kinds: [], keepAuthors: 2 },
  isBeside: false,
}

type Lists = Record<RelayListName, Map<string, RelayListEntry>>

const listed = (entry: string, reason: string, npub: string | null = null): RelayListEntry => ({
  ...{ entry, reason, npub },
  since: NOON - DAY,
})

function listsWith(reason: string): Lists {
  const lists = Object.fromEntries(LIST_NAMES.map((name) => [name, new Map<string, RelayListEntry>()])) as Lists
  lists.bannedKeys.set(HEX, listed(HEX, reason, NPUB))
  lists.blockedAddresses.set(BANNED.address, { ...listed(BANNED.address, reason), since: null })
  lists.bannedEvents.set(BANNED.event, listed(BANNED.event, reason))
  lists.allowedKinds.set('4', listed('4', reason))
  return lists
}

export interface FakeRelayDesk extends RelayDesk {
  setupNow: RelaySetup
  readonly lists: Lists
  readonly done: (RelayListChange & { readonly by: string })[]
  activityNow: RelayActivity
  storedNow: StoredAnswer
  markNow: number
}

/** `text` stands wherever clients, plugins or operators may write. */
export function createFakeRelayDesk(text = 'spam, thousands a day'): FakeRelayDesk {
  const lists = listsWith(text)
  const done: FakeRelayDesk['done'] = []
  const desk: FakeRelayDesk = {
    setupNow: SETUP,
    setup: async () => desk.setupNow,
    lists,
    done,
    activityNow: ACTIVITY,
    storedNow: STORED,
    markNow: 1,
    activity: async () => desk.activityNow,
    stored: async () => desk.storedNow,
    mark: () => String(desk.markNow),
    async list({ list, prefix, after, limit }) {
      const all = [...lists[list].values()].filter(({ entry }) => entry.startsWith(prefix))
      const start = after === undefined ? 0 : all.findIndex(({ entry }) => entry === after) + 1
      const entries = all.slice(start, start + limit)
      return {
        counts: Object.fromEntries(LIST_NAMES.map((name) => [name, lists[name].size])) as Record<RelayListName, number>,
        entries,
        next: start + limit < all.length ? (entries.at(-1)?.entry ?? null) : null,
      }
    },
    async subject(list, entry) {
      const opposite = list === 'bannedKinds' ? ('allowedKinds' as const) : undefined
      return {
        ...{ entry, opposite },
        npub: list === 'bannedKeys' ? NPUB : null,
        listed: lists[list].get(entry),
        isOnOpposite: opposite !== undefined && lists[opposite].has(entry),
      }
    },
    async change(change, by) {
      done.push({ ...change, by })
    },
  }
  return desk
}
