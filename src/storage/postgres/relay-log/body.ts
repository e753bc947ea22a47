// The text of an entry: a line that says what it is, then one line per event, as it is stored and sent.
import { membersOf, objectOf, parseJson } from '../../../lib/parse-json.js'
import { eventText, parseEvent } from '../../../nostr/event/index.js'
import type { LogChange, LogEvent } from '../../../relay/index.js'

/** Rises when an older version could not read an entry any more. */
const VERSION = 1

export type Entry =
  | { readonly type: 'events'; readonly events: readonly LogEvent[] }
  | { readonly type: 'change'; readonly change: LogChange }

const EVENTS_HEAD = JSON.stringify({ v: VERSION, type: 'events' })

/** The bytes that an event takes in it. */
export const bodyBytesOf = ({ text }: LogEvent): number => text.bytes.length + 1

export const eventsBody = (events: readonly LogEvent[]): string =>
  [EVENTS_HEAD, ...events.map(({ text }) => text.bytes.toString())].join('\n')

export const changeBody = (change: LogChange): string => JSON.stringify({ v: VERSION, type: 'change', change })

/** Undefined: a text that this version does not know. */
export function parseBody(body: string): Entry | undefined {
  const [head = '', ...lines] = body.split('\n')
  const { v, type, change } = membersOf(parseJson(head))
  if (v !== VERSION) return undefined
  // Front ends append only what they have checked; the follower refuses a kind of change that it does not know.
  if (type === 'change') return { type, change: objectOf(change) as LogChange }
  const events = lines.flatMap((line) => eventOf(line) ?? [])
  return type === 'events' && events.length === lines.length ? { type, events } : undefined
}

function eventOf(line: string): LogEvent | undefined {
  const event = parseEvent(parseJson(line))
  const text = event && eventText(event)
  return text && { text }
}
