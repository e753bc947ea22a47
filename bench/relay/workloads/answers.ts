// Whether answers are right: a fast wrong one counts as a failure.
import type { NostrEvent } from '../../../src/nostr/event/index.js'
import { messageFrame } from '../client/frames.js'
import { dial, type Line } from '../client/line.js'
import { matcherOf } from '../data/matcher.js'
import { MOST_OF_AN_ANSWER, type Query, type ShapeName } from '../data/queries.js'
import type { RunningRelay } from '../relays/launch.js'

/** The events of one query as the relay answers them, or its count. */
function ask(line: Line, verb: 'REQ' | 'COUNT', { filter }: Query): Promise<NostrEvent[] | number> {
  return new Promise((resolve, reject) => {
    const events: NostrEvent[] = []
    let ended = false
    line.listen((bytes, start, end) => {
      const [what, , value] = JSON.parse(bytes.toString('utf8', start, end)) as [string, string, unknown]
      if (what === 'EVENT' && ended) reject(new Error('an event after the EOSE'))
      else if (what === 'EVENT') events.push(value as NostrEvent)
      else if (what === 'COUNT') resolve((value as { count: number }).count)
      else if (what === 'EOSE') {
        ended = true
        line.send(messageFrame('CLOSE', 'check'))
        resolve(events)
      } else if (what !== 'AUTH') reject(new Error(bytes.toString('utf8', start, end)))
    })
    line.send(messageFrame(verb, 'check', filter))
  })
}

const tagsOf = ({ tags }: NostrEvent, letter: string): string[] =>
  tags.flatMap(([name, value = '']) => (name === letter ? [value] : []))

/** The first thing that is wrong with an answer, or undefined. */
function faultOf({ filter, answer }: Query, events: readonly NostrEvent[]): string | undefined {
  const fits = matcherOf(filter)
  if (!events.every((event) => fits({ ...event, e: tagsOf(event, 'e'), p: tagsOf(event, 'p') })))
    return 'does not match'
  if (events.some((event, index) => event.created_at > (events[index - 1]?.created_at ?? event.created_at)))
    return 'not newest first'
  const ids = events.map(({ id }) => id)
  if (new Set(ids).size !== ids.length) return 'twice'
  if (filter.limit !== undefined && events.length > filter.limit) return 'more than the limit'
  return answer && missingOf(ids, answer)
}

/** Events of one second may stand in any order, so only sets are compared, and not what lies in the last second of a full answer. */
function missingOf(ids: readonly string[], answer: readonly string[]): string | undefined {
  const wanted = answer.slice(0, MOST_OF_AN_ANSWER)
  const got = new Set(ids)
  const missing = wanted.filter((id) => !got.has(id)).length
  const slack = ids.length === wanted.length ? 1 : 0 // two events of the last second, of which the limit lets one in
  return missing > slack || ids.length < wanted.length ? `${missing} of ${wanted.length} missing` : undefined
}

/** Throws with the first wrong answer. `whole`: nothing was stored since the queries were made, so nothing may be missing or new. */
export async function checkAnswers(
  relay: RunningRelay,
  shape: ShapeName,
  queries: readonly Query[],
  whole = true,
): Promise<void> {
  const line = await dial(relay.port)
  for (const query of queries.filter(({ answer, partly }) => answer ?? partly)) {
    const got = await ask(line, shape === 'count' ? 'COUNT' : 'REQ', query)
    const fault =
      typeof got === 'number'
        ? whole && got !== query.answer?.length && `count ${got} instead of ${query.answer?.length}`
        : faultOf(whole ? query : { filter: query.filter }, got)
    if (fault) throw new Error(`${relay.name}, ${shape}: ${fault}: ${JSON.stringify(query.filter).slice(0, 200)}`)
  }
  line.close()
}
