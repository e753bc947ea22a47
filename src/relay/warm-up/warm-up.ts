// Asks a few thousand questions after the start, while no client asks: the first thousands of questions cost a fifth to two fifths more until
// the engine has compiled the code. A second relay on the same store answers them, so no counter of the served one moves.

import type { DebugLog } from '../../lib/ports.js'
import type { ClientConnection } from '../connection/connection.js'
import { messagesOf } from '../counters.js'
import { createRelay, type Relay, type RelayParts } from '../relay.js'

interface WarmUpParts {
  readonly served: Pick<Relay, 'metrics'>
  /** Of the served relay. */
  readonly parts: RelayParts
  /** Stored events; with few of them questions cost little. */
  readonly events: number
  readonly signal: AbortSignal
}

const LEAST_EVENTS = 5000
const SAMPLE = 200
const ROUNDS = 300
/** Work without a pause, and the pause after it: at most half of the processor. */
const SLICE_MS = 2
const PAUSE_MS = 2

/** Ends with the first message of a client. Returns the number of questions. Throws what the store throws. */
export async function warmUp({ served, parts, events, signal }: WarmUpParts): Promise<number> {
  const { clock } = parts
  const isOver = (): boolean => signal.aborted || messagesOf(served.metrics()) > 0
  if (events < LEAST_EVENTS || isOver()) return 0
  const ask = openRehearsal(parts)
  let asked = 0
  let begun = clock.monotonic()
  for (const question of questionsLike(sampleOf(parts), ROUNDS)) {
    await ask(question)
    asked++
    if (clock.monotonic() - begun < SLICE_MS) continue
    await clock.sleep(PAUSE_MS, signal)
    if (isOver()) return asked
    begun = clock.monotonic()
  }
  return asked
}

const NO_LOG: DebugLog = { debug() {}, info() {}, warn() {}, error() {} }
const NAME = 'w'
const END = `["EOSE","${NAME}"]`

/** A client of a relay of its own. Each question resolves when it is answered or refused, and is then closed. */
function openRehearsal(parts: RelayParts): (filter: object) => Promise<void> {
  const { settings } = parts
  const limits = { ...settings.limits, subscriptionsPerMinute: undefined }
  const relay = createRelay({
    ...parts,
    settings: { ...settings, limits },
    log: NO_LOG,
    heap: undefined,
    eventLog: undefined,
  })
  let answered: () => void = () => undefined
  const connection: ClientConnection = {
    address: '127.0.0.1',
    write(frames) {
      const last = frames.toString('latin1', Math.max(0, frames.length - END.length))
      if (last === END || frames.includes('["CLOSED"')) answered()
      return true
    },
    pendingBytes: () => 0,
    pause() {},
    resume() {},
    end: () => answered(),
    drop: () => answered(),
  }
  const session = relay.connect(connection)
  const send = (...message: readonly unknown[]): void => session.take(Buffer.from(JSON.stringify(message)), false)
  return async (filter) => {
    await new Promise<void>((resolve) => {
      answered = resolve
      send('REQ', NAME, filter)
    })
    send('CLOSE', NAME)
  }
}

function sampleOf({ store }: RelayParts): readonly SampleEvent[] {
  const query = store.find([{ tags: [], limit: SAMPLE }])
  const sample: SampleEvent[] = []
  for (let page = query.next(); page !== undefined && sample.length < SAMPLE; page = query.next()) {
    let start = 0
    for (const end of page.ends) {
      sample.push(JSON.parse(page.bytes.toString('utf8', start, end)) as SampleEvent)
      start = end + 1
    }
  }
  return sample
}

// Questions in the usual shapes of clients, made from events that the relay stores.

/** The members of an event that questions are made of. */
interface SampleEvent {
  readonly id: string
  readonly pubkey: string
  readonly tags: readonly (readonly string[])[]
}

/** Returns other values of the sample at every call, in turn. */
interface Picks {
  ids(count: number): readonly string[]
  authors(count: number): readonly string[]
  recipient(): string
}

/** The shapes as data: an author's notes, an inbox, known ids, the newest events, profiles, a thread, a feed, an unknown id. */
const SHAPES: readonly ((pick: Picks) => object)[] = [
  (pick) => ({ authors: pick.authors(1), kinds: [1], limit: 50 }),
  (pick) => ({ kinds: [1059], '#p': [pick.recipient()], limit: 100 }),
  (pick) => ({ ids: pick.ids(10) }),
  () => ({ limit: 50 }),
  () => ({ kinds: [1], limit: 50 }),
  (pick) => ({ kinds: [0, 3, 10_050], authors: pick.authors(20) }),
  (pick) => ({ kinds: [1, 7], '#e': pick.ids(1) }),
  (pick) => ({ kinds: [1], authors: pick.authors(60), limit: 50 }),
  (pick) => ({ ids: pick.ids(1).map(backwards) }),
]

const backwards = (id: string): string => Array.from(id).reverse().join('')

/** Filters in the form of the wire: one of each shape per round. None for an empty sample. */
export function* questionsLike(sample: readonly SampleEvent[], rounds: number): Generator<object> {
  if (sample.length === 0) return
  const pick = picksFrom(sample)
  for (let round = 0; round < rounds; round++) for (const shape of SHAPES) yield shape(pick)
}

function picksFrom(sample: readonly SampleEvent[]): Picks {
  const ids = sample.map(({ id }) => id)
  const authors = [...new Set(sample.map(({ pubkey }) => pubkey))]
  const recipients = [...new Set(sample.flatMap(({ tags }) => tags.flatMap(recipientOf)))]
  let at = 0
  const next = (values: readonly string[], count: number): readonly string[] =>
    Array.from({ length: Math.min(count, values.length) }, () => values[at++ % values.length] ?? '')
  return {
    ids: (count) => next(ids, count),
    authors: (count) => next(authors, count),
    recipient: () => next(recipients.length > 0 ? recipients : authors, 1)[0] ?? '',
  }
}

const KEY = /^[0-9a-f]{64}$/

const recipientOf = ([name, value = '']: readonly string[]): readonly string[] =>
  name === 'p' && KEY.test(value) ? [value] : []
