// The query shapes with values from a stored set, and for some of them the whole right answer.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NostrEvent } from '../../../src/nostr/event/index.js'
import { linesOf, replacedIn } from './latest.js'
import { DATA_FOLDER, fileOf, SETS, type SetName, storedEnd } from './sets.js'
import { createSource, type Source } from './source.js'
import { busy, createWorld, type World } from './world.js'

/** As it goes over the wire. */
export interface WireFilter {
  readonly ids?: readonly string[]
  readonly authors?: readonly string[]
  readonly kinds?: readonly number[]
  readonly '#p'?: readonly string[]
  readonly '#e'?: readonly string[]
  readonly since?: number
  readonly until?: number
  readonly limit?: number
}

export interface Query {
  readonly filter: WireFilter
  /** Ids of the answer, newest first; only some queries have it. */
  readonly answer?: readonly string[]
}

export const SHAPES = [
  'author-kind',
  'wraps',
  'ids',
  'recent500',
  'kind-recent',
  'profiles',
  'thread',
  'feed',
  'miss',
  'count',
] as const
export type ShapeName = (typeof SHAPES)[number]
export type Queries = Readonly<Record<ShapeName, readonly Query[]>>

const OF_EACH = 2000
const WITH_ANSWER = 12
const DAY = 86_400
/** What a relay may leave out of an answer that names no limit. */
export const MOST_OF_AN_ANSWER = 500

/** Made once for each set. */
export async function queriesOf(set: SetName): Promise<Queries> {
  const path = join(DATA_FOLDER, `${set}.queries.json`)
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(await makeQueries(set)))
  return JSON.parse(readFileSync(path, 'utf8')) as Queries
}

async function makeQueries(set: SetName): Promise<Queries> {
  const source = createSource(`queries ${set}`)
  const stored = await storedOf(set)
  const fill = fillers(source, createWorld(SETS[set].world), stored)
  const queries: Partial<Record<ShapeName, Query[]>> = {}
  for (const shape of SHAPES) {
    const filters = Array.from({ length: OF_EACH }, () => fill[shape]())
    queries[shape] = filters.map((filter, index) => queryOf(filter, stored, index < WITH_ANSWER))
  }
  return queries as Queries
}

const queryOf = (filter: WireFilter, stored: Stored, answered: boolean): Query =>
  answered ? { filter, answer: answerOf(filter, stored.events) } : { filter }

/** What a search needs of an event; whole ones would be too much to hold. */
interface Kept extends Pick<NostrEvent, 'id' | 'pubkey' | 'created_at' | 'kind'> {
  readonly e: readonly string[]
  readonly p: readonly string[]
}

interface Stored {
  /** Newest first, as they are answered. */
  readonly events: readonly Kept[]
  /** Ids that some event speaks of. */
  readonly spokenOf: readonly string[]
}

async function storedOf(set: SetName): Promise<Stored> {
  const replaced = await replacedIn(fileOf(set))
  const events: Kept[] = []
  const spokenOf: string[] = []
  for await (const { event } of linesOf(fileOf(set))) {
    if (replaced.has(event.id)) continue
    const { id, pubkey, created_at, kind } = event
    const valuesOf = (letter: string) => event.tags.flatMap(([name, value = '']) => (name === letter ? [value] : []))
    const e = valuesOf('e')
    events.push({ id, pubkey, created_at, kind, e, p: kind === 3 ? [] : valuesOf('p') })
    spokenOf.push(...e)
  }
  events.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1))
  return { events, spokenOf }
}

function fillers(
  source: Source,
  { authors, recipients }: World,
  { events, spokenOf }: Stored,
): Readonly<Record<ShapeName, () => WireFilter>> {
  const end = storedEnd()
  const author = (): string => busy(source, authors).pubkey
  const several = (count: number): string[] => {
    const keys = new Set<string>()
    while (keys.size < count) keys.add(author())
    return [...keys]
  }
  const inbox = () => ({ kinds: [1059], '#p': [busy(source, recipients)] })
  return {
    'author-kind': () => ({ authors: [author()], kinds: [1], limit: 50 }),
    wraps: () => ({ ...inbox(), since: end - 3 * DAY - source.integer(11 * DAY), limit: 200 }),
    ids: () => ({ ids: Array.from({ length: 10 }, () => source.pick(events).id) }),
    recent500: () => ({ limit: 500 }),
    'kind-recent': () => ({ kinds: [1], limit: 100 }),
    profiles: () => ({ kinds: [0, 3, 10050], authors: several(20) }),
    thread: () => ({ kinds: [1, 7], '#e': [source.pick(spokenOf)] }),
    feed: () => ({ kinds: [1], authors: several(200), until: end - source.integer(30 * DAY), limit: 100 }),
    miss: () => ({ ids: [source.bytes(32).toString('hex')] }),
    count: inbox,
  }
}

/** The plain way: one event after the other. */
function answerOf(filter: WireFilter, events: readonly Kept[]): readonly string[] {
  const fits = matcherOf(filter)
  const found: string[] = []
  for (const event of events) {
    if (!fits(event)) continue
    found.push(event.id)
    if (found.length === filter.limit) break
  }
  return found
}

/** Written apart from the product's own matching, which it is to check. */
export function matcherOf(filter: WireFilter): (event: Kept) => boolean {
  const within = (list: readonly string[] | undefined) => {
    const set = list && new Set(list)
    return (values: readonly string[]): boolean => !set || values.some((value) => set.has(value))
  }
  const [ids, authors, p, e] = [filter.ids, filter.authors, filter['#p'], filter['#e']].map(within) as [
    ReturnType<typeof within>,
    ReturnType<typeof within>,
    ReturnType<typeof within>,
    ReturnType<typeof within>,
  ]
  const { kinds, since = 0, until = Number.POSITIVE_INFINITY } = filter
  return (event) =>
    event.created_at >= since &&
    event.created_at <= until &&
    (!kinds || kinds.includes(event.kind)) &&
    authors([event.pubkey]) &&
    ids([event.id]) &&
    p(event.p) &&
    e(event.e)
}
