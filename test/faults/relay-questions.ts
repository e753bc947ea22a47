// A relay asked over the wire, without writers: its answers have to be those that its own database gives to the most simple search there is.
import type { Filter, Line } from './relay-line.js'
import type { RelayLog, Sent } from './relay-log.js'
import { type Society, sampleOf } from './relay-people.js'
import { DEAR } from './relay-shapes.js'
import type { Kept, Stored } from './relay-stored.js'

/** Of the relay: as many events for one filter at most. */
const MOST = 500
/** Events that are sent again. */
const AGAIN = 8
const seconds = () => Math.floor(Date.now() / 1000)
const secondsSince = (first: number) => Array.from({ length: seconds() - first + 1 }, (_, at) => first + at)

export function matches(filter: Filter, event: Kept): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (name === 'limit') return true
    if (name === 'since') return event.created_at >= Number(wanted)
    if (name === 'until') return event.created_at <= Number(wanted)
    const list = wanted as readonly unknown[]
    if (name === 'ids') return list.includes(event.id)
    if (name === 'authors') return list.includes(event.pubkey)
    if (name === 'kinds') return list.includes(event.kind)
    return event.tags.some(([letter, value]) => `#${letter}` === name && list.includes(value))
  })
}

/** Newest first, of one second the lowest id first. */
export const inOrder = (a: Kept, b: Kept): number =>
  b.created_at - a.created_at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** What is wrong with an answer whatever is stored. */
export function answerFaults(filters: readonly Filter[], events: readonly Kept[]): string[] {
  const asked = JSON.stringify(filters).slice(0, 160)
  const faults: string[] = []
  if (new Set(events.map(({ id }) => id)).size < events.length) faults.push(`an event twice for ${asked}`)
  if (events.some((event, at) => at > 0 && inOrder(events[at - 1]!, event) > 0)) faults.push(`not in order: ${asked}`)
  for (const event of events)
    if (!filters.some((filter) => matches(filter, event))) faults.push(`${event.id} is no answer to ${asked}`)
  return faults
}

const isAlive = ({ expires }: Stored, now: number): boolean => expires === undefined || expires > now

function rightAnswer(filters: readonly Filter[], stored: readonly Stored[], now: number): readonly Kept[] {
  const alive = stored.filter((one) => isAlive(one, now)).map(({ event }) => event)
  const found = filters.flatMap((filter) =>
    alive
      .filter((event) => matches(filter, event))
      .sort(inOrder)
      .slice(0, Math.min(Number(filter.limit ?? MOST), MOST)),
  )
  return [...new Map(found.map((event) => [event.id, event])).values()].sort(inOrder)
}

/** An answer comes in pages: what expires between the first and the last second may be in it or not, each event by itself. */
function isRight(
  filters: readonly Filter[],
  given: readonly Kept[],
  stored: readonly Stored[],
  before: number,
): boolean {
  const [filter] = filters
  if (filter === undefined || filters.length > 1)
    return secondsSince(before).some((now) => idsOf(rightAnswer(filters, stored, now)) === idsOf(given))
  const after = seconds()
  const possible = stored
    .filter((one) => isAlive(one, before) && matches(filter, one.event))
    .sort((a, b) => inOrder(a.event, b.event))
  let at = 0
  for (const one of possible) {
    if (given[at]?.id === one.event.id) at += 1
    else if (at < Math.min(Number(filter.limit ?? MOST), MOST) && isAlive(one, after)) return false
  }
  return at === given.length
}

const idsOf = (events: readonly Kept[]): string => events.map(({ id }) => id).join()

/** Asks everything that clients ask, about what is stored and what was sent, and sends some of it again. */
export async function questionFaults(
  line: Line,
  { log, stored, society }: { log: RelayLog; stored: ReadonlyMap<string, Stored>; society: Society },
): Promise<readonly string[]> {
  const kept = [...stored.values()]
  const faults: string[] = []
  const dear = DEAR.map((shape) => shape(society))
  const everything = [...dear, ...questionsAbout(log, kept, society), ...dear]
  for (const filters of everything) {
    const before = seconds()
    const events = await line.ask(...filters)
    if (!events) return [...faults, `no answer to ${JSON.stringify(filters).slice(0, 160)}`]
    faults.push(...answerFaults(filters, events))
    if (!isRight(filters, events, kept, before)) {
      const missing = rightAnswer(filters, kept, seconds()).filter(({ id }) => !events.some((event) => event.id === id))
      const asked = JSON.stringify(filters).slice(0, 160)
      faults.push(`${events.length} events, ${missing.length} of the right ones missing, for ${asked}`)
    }
  }
  faults.push(...(await countFaults(line, everything.slice(0, 16), kept)))
  return [...faults, ...(await sendAgain(line, log, stored))]
}

function questionsAbout(log: RelayLog, kept: readonly Stored[], society: Society): readonly (readonly Filter[])[] {
  const now = seconds()
  const people = [...society.writers, ...society.recipients, society.doomed].map(({ pubkey }) => pubkey)
  const newest = [...log.sent.keys()].slice(-150)
  const some = sampleOf(kept, 40).map(({ event }) => event.id)
  return [
    [{}],
    [{ limit: 7 }],
    ...[0, 1, 5, 7, 1059, 1111, 10_002, 30_078].map((kind) => [{ kinds: [kind] }]),
    ...people.map((author) => [{ authors: [author] }]),
    ...people.map((author) => [{ authors: [author], kinds: [1, 0, 30_078], limit: 20 }]),
    ...society.recipients.map(({ pubkey }) => [{ kinds: [1059], '#p': [pubkey] }]),
    ...society.recipients.map(({ pubkey }) => [{ kinds: [1059], '#p': [pubkey], since: now - 86_400, limit: 30 }]),
    [{ ids: newest }],
    [{ ids: some }],
    [{ '#t': ['t1'] }],
    [{ '#t': ['t2', 't3'], kinds: [1], limit: 50 }],
    [{ '#d': ['d1', 'd2'], kinds: [30_078] }],
    [{ '#d': ['d0'], authors: people.slice(0, 3) }],
    [{ until: now - 43_200, limit: 100 }],
    [{ since: now - 5, until: now }],
    [{ kinds: [7], limit: 5 }, { kinds: [1], limit: 5 }, { ids: some.slice(0, 5) }],
    [
      { kinds: [1059], limit: 10 },
      { kinds: [1059], limit: 20 },
    ],
  ]
}

async function countFaults(line: Line, questions: readonly (readonly Filter[])[], kept: readonly Stored[]) {
  const faults: string[] = []
  for (const filters of questions) {
    const before = seconds()
    const count = await line.count(...filters)
    const right = (now: number): number =>
      kept.filter((one) => isAlive(one, now) && filters.some((filter) => matches(filter, one.event))).length
    // It is counted in steps: what expires meanwhile may be counted or not.
    const [most, least] = [right(before), right(seconds())]
    if (count === undefined || count > most || count < least)
      faults.push(`COUNT is ${count} and not ${least} to ${most} for ${JSON.stringify(filters).slice(0, 160)}`)
  }
  return faults
}

/** What is stored is known, what was deleted stays away. The rules judge the answers; here it is that they come. */
async function sendAgain(line: Line, log: RelayLog, stored: ReadonlyMap<string, Stored>): Promise<readonly string[]> {
  const isDeleted = ({ attempts }: Sent) => attempts.some(({ reply }) => reply?.text.startsWith('deleted: '))
  const missing = log.recent.filter(({ id }) => !stored.has(id))
  const [known, gone] = [log.recent.filter(({ id }) => stored.has(id)), missing]
  const faults: string[] = []
  for (const event of [...sampleOf(known, AGAIN), ...sampleOf(gone, AGAIN)]) {
    const attempt = log.begin(event, log.sent.get(event.id)?.good === true)
    attempt.reply = await line.publish(event)
    attempt.endedAt = log.tick()
    const one = stored.get(event.id)
    if (!attempt.reply) faults.push(`no answer to ${event.id}, which was sent again`)
    if (one?.expires === undefined && one && !attempt.reply?.text.startsWith('duplicate: '))
      faults.push(`${event.id} is stored, and was answered "${attempt.reply?.text}" when it came again`)
    const sent = log.sent.get(event.id)
    if (sent && isDeleted(sent) && attempt.reply?.accepted) faults.push(`${event.id} was deleted, and is taken again`)
  }
  return faults
}
