// The relay that is tested, the key that may write everything, a stranger, and about fifteen events to find.
import type { NostrEvent } from 'nostr-tools/pure'
import type { RelayProcess } from '../../support/relay-process.js'
import { authEvent } from '../../support/wire-auth.js'
import type { WireClient } from '../../support/wire-client.js'
import { now, person } from '../../support/wire-people.js'

export interface Case {
  readonly name: string
  readonly required: boolean
  /** A question of our own, which does not count among those of the public tester. */
  readonly extra?: boolean
  passes(world: World): Promise<boolean>
  /** Why this relay does not pass on purpose. */
  readonly declined?: string
}

export const must = (name: string, passes: Case['passes']): Case => ({ name, required: true, passes })
export const may = (name: string, passes: Case['passes'], declined?: string): Case => ({
  ...{ name, required: false, passes },
  ...(declined !== undefined && { declined }),
})

export const extra = (name: string, passes: Case['passes'], declined?: string): Case => ({
  ...may(name, passes, declined),
  extra: true,
})

export const TESTER = person('tester')
export const STRANGER = person('tester’s stranger')

export interface World {
  readonly relay: RelayProcess
  readonly client: WireClient
  /** What is there to be found; by name. */
  readonly events: Readonly<Record<keyof typeof TEMPLATES, NostrEvent>>
  /** The document (NIP-11). */
  readonly document: { readonly supported_nips?: readonly number[] }
}

const START = now() - 5000
const OTHER_PUBKEY = 'ab'.repeat(32)
const TEMPLATES = {
  profile: { kind: 0 },
  noteA: {
    kind: 1,
    tags: [
      ['t', 'a'],
      ['p', OTHER_PUBKEY],
    ],
  },
  noteB: { kind: 1, tags: [['t', 'b']] },
  noteC: {
    kind: 1,
    tags: [
      ['t', 'c'],
      ['n', 'approved'],
    ],
  },
  reactionA: {
    kind: 7,
    tags: [
      ['t', 'a'],
      ['k', '30333'],
    ],
  },
  reactionB: {
    kind: 7,
    tags: [
      ['t', 'b'],
      ['p', OTHER_PUBKEY],
    ],
  },
  contacts: { kind: 3, tags: [['p', OTHER_PUBKEY]] },
  bookmarks: { kind: 10_003, tags: [['e', OTHER_PUBKEY]] },
  people: { kind: 30_000, tags: [['d', 'friends']] },
  listing: {
    kind: 33_383,
    tags: [
      ['d', 'x'],
      ['n', 'approved'],
      ['k', '3036'],
    ],
  },
  otherListing: {
    kind: 33_383,
    tags: [
      ['d', 'y'],
      ['n', 'refused'],
    ],
  },
  long: { kind: 30_023, tags: [['d', 'page']] },
} as const

export async function openWorld(relay: RelayProcess): Promise<World> {
  const client = await relay.client()
  await client.publish(authEvent(TESTER, { relay: relay.address, challenge: await client.challenge() }), 'AUTH')
  const events = Object.fromEntries(
    Object.entries(TEMPLATES).map(([name, template], n) => [
      name,
      TESTER.event({ ...template, created_at: START + n * 7 }),
    ]),
  ) as World['events']
  await client.store(...Object.values(events), STRANGER.event({ kind: 7, created_at: START, tags: [['t', 'a']] }))
  const answer = await fetch(`http://127.0.0.1:${relay.port}/`, { headers: { accept: 'application/nostr+json' } })
  return { relay, client, events, document: (await answer.json()) as World['document'] }
}

export const same = (found: readonly string[], expected: readonly { readonly id: string }[]): boolean =>
  found.join() === expected.map(({ id }) => id).join()

export const sorted = (...events: readonly NostrEvent[]): readonly NostrEvent[] =>
  [...events].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1))

export const PERSON = OTHER_PUBKEY
