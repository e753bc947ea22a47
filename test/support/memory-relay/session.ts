// One client of the sandbox's relay: its messages and what they are answered (NIP-01).
import { parseJson } from '../../../src/lib/parse-json.js'
import { isGenuine, type NostrEvent, parseEvent } from '../../../src/nostr/event/index.js'
import type { Archive } from './archive.js'
import { type Filter, matches, parseFilter } from './filters.js'

const MOST_SUBSCRIPTIONS = 20
const MOST_FILTERS = 20

export interface SessionParts {
  readonly archive: Archive
  readonly send: (message: readonly unknown[]) => void
  /** Tells every session, this one too, of a new event. */
  readonly broadcast: (event: NostrEvent) => void
}

export interface Session {
  take(text: string): void
  /** Passes on an event that some subscription asks for. */
  offer(event: NostrEvent): void
}

type Message = readonly unknown[]

export function createSession({ archive, send, broadcast }: SessionParts): Session {
  const subscriptions = new Map<string, readonly Filter[]>()

  function publish([value]: Message): readonly Message[] {
    const event = parseEvent(value)
    if (!event || !isGenuine(event)) return [['OK', event?.id ?? '?', false, 'invalid: bad event']]
    const kept = archive.keep(event)
    if (kept === 'older') return [['OK', event.id, false, 'replaced: have newer event']]
    if (kept === 'stored') broadcast(event)
    return [['OK', event.id, true, kept === 'duplicate' ? 'duplicate: have this event' : '']]
  }

  function subscribe([id, ...asked]: Message): readonly Message[] {
    if (typeof id !== 'string' || id.length < 1 || id.length > 64) return [['NOTICE', 'invalid subscription id']]
    if (!subscriptions.has(id) && subscriptions.size >= MOST_SUBSCRIPTIONS)
      return [['CLOSED', id, 'rate-limited: too many subscriptions']]
    const filters = filtersOf(asked)
    if (!filters) return [['CLOSED', id, 'invalid: bad filter']]
    subscriptions.set(id, filters)
    return [...archive.find(filters).map((event) => ['EVENT', id, event]), ['EOSE', id]]
  }

  function unsubscribe([id]: Message): readonly Message[] {
    subscriptions.delete(String(id))
    return []
  }

  const verbs = new Map([
    ['EVENT', publish],
    ['REQ', subscribe],
    ['CLOSE', unsubscribe],
  ])

  return {
    take(text) {
      const [verb, ...rest] = messageOf(text)
      const answers = verbs.get(String(verb))?.(rest) ?? [['NOTICE', 'could not parse command']]
      for (const answer of answers) send(answer)
    },
    offer(event) {
      for (const [id, filters] of subscriptions)
        if (filters.some((filter) => matches(filter, event))) send(['EVENT', id, event])
    },
  }
}

function messageOf(text: string): readonly unknown[] {
  const value = parseJson(text)
  return Array.isArray(value) ? value : []
}

function filtersOf(asked: readonly unknown[]): readonly Filter[] | undefined {
  if (asked.length < 1 || asked.length > MOST_FILTERS) return undefined
  try {
    return asked.map(parseFilter)
  } catch {
    return undefined
  }
}
