// Asks a few thousand questions after the start, while no client asks: the first thousands of questions cost a fifth to two fifths more until
// the engine has compiled the code. A second relay on the same store answers them, so no counter of the served one moves.
import type { DebugLog } from '../../lib/ports.js'
import type { ClientConnection } from '../connection/connection.js'
import { messagesOf } from '../counters.js'
import { createRelay, type Relay, type RelayParts } from '../relay.js'
import { questionsLike, type SampleEvent } from './questions.js'

export interface WarmUpParts {
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
