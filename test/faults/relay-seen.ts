// What an answer beside writers has to hold: whatever was accepted before the question.
import type { Filter } from './relay-line.js'
import type { RelayLog } from './relay-log.js'
import type { Signed, Society } from './relay-people.js'
import { inOrder, matches } from './relay-questions.js'

const NOTE = 1
/** Of the relay: as many events for one filter at most. */
const MOST = 500
/** Sent events that an answer is looked through for. */
const LOOKED_FOR = 400

/** Notes that stay: no deletion names them, none expires, no operator removes them. */
const stays = ({ kind, tags, id, pubkey }: Signed, log: RelayLog, society: Society): boolean =>
  kind === NOTE &&
  !log.named.has(id) &&
  tags.every(([name]) => name !== 'expiration') &&
  society.writers.some((writer) => writer.pubkey === pubkey)

/** Notes whose OK came before tick `askedAt`, and which the answer to one filter lacks. */
export function missingFrom(
  { filters, events, askedAt }: { filters: readonly Filter[]; events: readonly Signed[]; askedAt: number },
  log: RelayLog,
  society: Society,
): string[] {
  const [filter, ...others] = filters
  if (filter === undefined || others.length > 0) return []
  const most = Math.min(Number(filter.limit ?? MOST), MOST)
  const last = events.length < most ? undefined : events.at(-1)
  const found = new Set(events.map(({ id }) => id))
  return log.recent
    .slice(-LOOKED_FOR)
    .filter((event) => !found.has(event.id) && matches(filter, event) && stays(event, log, society))
    .filter(({ id }) => log.sent.get(id)?.attempts.some(({ reply, endedAt }) => reply?.accepted && endedAt < askedAt))
    .filter((event) => last === undefined || inOrder(event, last) < 0)
    .map(
      ({ id }) =>
        `${id} was answered OK before it was asked for, and is missing from ${JSON.stringify(filters).slice(0, 160)}`,
    )
}
