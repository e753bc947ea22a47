// The query shapes with values from a stored set, and for some of them the whole right answer.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { classOf, type NostrEvent } from '../../../src/nostr/event/index.js'
import { linesOf, replacedIn } from './latest.js'
import { type Matched, matchedOf, matcherOf, type WireFilter } from './matcher.js'
import { DATA_FOLDER, endOf, fileOf, SETS, type SetName } from './sets.js'
import { createSource, type Source } from './source.js'
import { busy, createWorld } from './world.js'

export interface Query {
  readonly filter: WireFilter
  /** Ids of the answer, newest first; only some queries have it. */
  readonly answer?: readonly string[]
  /** The answer is to be checked, though what it must hold is unknown. */
  readonly partly?: true
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

const queriesFile = (set: SetName): string => join(DATA_FOLDER, `${set}.queries.json`)

/** Made once for each set; for a generated one when its database is filled. */
export async function queriesOf(set: SetName): Promise<Queries> {
  const path = queriesFile(set)
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(await makeQueries(set)))
  return JSON.parse(readFileSync(path, 'utf8')) as Queries
}

async function makeQueries(set: SetName): Promise<Queries> {
  const source = createSource(`queries ${set}`)
  const stored = await storedOf(set)
  const fill = fillers(source, set, stored)
  const queries: Partial<Record<ShapeName, Query[]>> = {}
  for (const shape of SHAPES) {
    const filters = Array.from({ length: OF_EACH }, () => fill[shape]())
    queries[shape] = filters.map((filter, index) => queryOf(filter, stored, index < WITH_ANSWER))
  }
  return queries as Queries
}

/** For a set that is too large to hold: `sample` are some of its events. Of the right answers only those to `ids` are known. */
export function saveQueriesOf(set: SetName, sample: readonly NostrEvent[]): void {
  const events = sample.filter(({ kind }) => classOf(kind) === 'regular').map(matchedOf) // most others are replaced
  const stored = { events, spokenOf: events.flatMap(({ e }) => e) }
  const fill = fillers(createSource(`queries ${set}`), set, stored)
  const queries = SHAPES.map((shape) => [
    shape,
    Array.from({ length: OF_EACH }, (_, index) => {
      const filter = fill[shape]()
      if (index >= WITH_ANSWER || shape === 'count') return { filter }
      return { filter, ...(shape === 'ids' ? { answer: answerOf(filter, events) } : { partly: true }) }
    }),
  ])
  writeFileSync(queriesFile(set), JSON.stringify(Object.fromEntries(queries)))
}

const queryOf = (filter: WireFilter, stored: Stored, answered: boolean): Query =>
  answered ? { filter, answer: answerOf(filter, stored.events) } : { filter }

interface Stored {
  /** Newest first, as they are answered. */
  readonly events: readonly Matched[]
  /** Ids that some event speaks of. */
  readonly spokenOf: readonly string[]
}

async function storedOf(set: SetName): Promise<Stored> {
  const replaced = await replacedIn(fileOf(set))
  const events: Matched[] = []
  const spokenOf: string[] = []
  for await (const { event } of linesOf(fileOf(set))) {
    if (replaced.has(event.id)) continue
    const matched = matchedOf(event)
    events.push(matched)
    spokenOf.push(...matched.e)
  }
  events.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1))
  return { events, spokenOf }
}

function fillers(
  source: Source,
  set: SetName,
  { events, spokenOf }: Stored,
): Readonly<Record<ShapeName, () => WireFilter>> {
  const { authors, recipients } = createWorld(SETS[set].world)
  const end = endOf(SETS[set])
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
function answerOf(filter: WireFilter, events: readonly Matched[]): readonly string[] {
  const fits = matcherOf(filter)
  const found: string[] = []
  for (const event of events) {
    if (!fits(event)) continue
    found.push(event.id)
    if (found.length === filter.limit) break
  }
  return found
}
