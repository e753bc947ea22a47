// Tells other processes of a change after its commit. A bell may be lost: a listener also looks by itself from time to time, and after each
// reconnect. It rings on a connection of its own, since NOTIFY inside a transaction holds one lock of the whole server until a standby answered.
// A machine that lost its power closes no connection: the listening one is asked something every few seconds, and one that answers late is
// closed, as is one that rings late.
import type { Clock } from '../../lib/ports.js'
import { databaseClosed } from '../errors.js'
import type { Connection } from './driver.js'
import type { PrimaryFinder } from './primary.js'
import { ConnectionLost } from './sql-errors.js'
import { within } from './within.js'

/** Of NOTIFY. */
const MOST_BYTES = 7000
/** Between attempts to connect. */
const PAUSE_MS = 500
/** Between questions to the listening connection. */
const ASK_EVERY_MS = 5000
/** For the answer to any statement of a bell: none of them waits for a standby. */
const ANSWER_MS = 3000
/** Rings of a time without a connection: those that listen will look by themselves. */
const MOST_WAITING = 1000

export interface Bell {
  /** After the commit. Several rings that wait for each other go together; equal ones are one. */
  ring(topic: string): void
  /**
   * `heard` is called for each ring of any process, and with `undefined` when rings may have been missed: at the start and after each reconnect.
   * Answers a function that stops it.
   */
  listen(heard: (topic: string | undefined) => void): () => void
  close(): Promise<void>
}

interface BellParts {
  /** Names the channel: rings stay within a schema. */
  readonly channel: string
  readonly finder: Pick<PrimaryFinder, 'find' | 'close'>
  readonly clock: Clock
}

export function createBell({ channel, finder, clock }: BellParts): Bell {
  const waiting = new Set<string>()
  const listeners = new Set<(topic: string | undefined) => void>()
  const closing = new AbortController()
  const open = new Set<Connection>()
  let ringing: Promise<void> | undefined
  let listening: Promise<void> | undefined
  let finding: Promise<unknown> = Promise.resolve()

  /** One search at a time, as the finder wants it. */
  async function connected(): Promise<Connection> {
    while (!closing.signal.aborted) {
      const search = finding.then(() => finder.find())
      finding = search.catch(() => undefined)
      const found = await search.catch(() => undefined)
      if (found && closing.signal.aborted) found.connection.close()
      else if (found) {
        open.add(found.connection)
        void found.connection.ended.then(() => open.delete(found.connection))
        return found.connection
      }
      await clock.sleep(PAUSE_MS, closing.signal)
    }
    throw databaseClosed()
  }

  /** Closes a connection that answers late. */
  async function inTime(connection: Connection, answer: Promise<unknown>): Promise<void> {
    if ((await within(clock, ANSWER_MS, answer)) !== 'late') return
    connection.close()
    throw new ConnectionLost('no answer')
  }

  let ringer: Connection | undefined
  async function ringAll(): Promise<void> {
    while (waiting.size > 0 && !closing.signal.aborted) {
      if (!ringer?.isSound) {
        ringer = await connected()
        // Nothing of it has to survive, and no standby is waited for.
        await inTime(ringer, ringer.script('SET synchronous_commit = off'))
      }
      const topics = nextTopics(waiting)
      await inTime(ringer, ringer.get('SELECT pg_notify(?, ?)', [channel, topics.join('\n')]))
    }
  }

  async function hearOnce(): Promise<void> {
    const connection = await connected()
    connection.onNotification((payload) => {
      for (const topic of payload.split('\n')) for (const heard of listeners) heard(topic)
    })
    // Said again, it changes nothing.
    const listenOn = () => inTime(connection, connection.script(`LISTEN "${channel}"`))
    await listenOn()
    for (const heard of listeners) heard(undefined)
    const lost = new AbortController()
    void connection.ended.then(() => lost.abort())
    const over = AbortSignal.any([lost.signal, closing.signal])
    for (;;) {
      await clock.sleep(ASK_EVERY_MS, over)
      if (over.aborted) return
      await listenOn()
    }
  }

  async function hear(): Promise<void> {
    while (!closing.signal.aborted) await hearOnce().catch(() => clock.sleep(PAUSE_MS, closing.signal))
  }

  function startRinging(): void {
    ringing ??= ringAll()
      .catch(() => undefined)
      .finally(() => {
        ringing = undefined
        if (waiting.size > 0 && !closing.signal.aborted) startRinging()
      })
  }

  return {
    ring(topic) {
      if (waiting.size < MOST_WAITING) waiting.add(topic)
      startRinging()
    },
    listen(heard) {
      listeners.add(heard)
      listening ??= hear()
      return () => listeners.delete(heard)
    },
    async close() {
      closing.abort()
      listeners.clear()
      finder.close()
      for (const connection of open) connection.close()
      await Promise.all([ringing, listening])
    },
  }
}

/** As many as one payload carries. */
function nextTopics(waiting: Set<string>): readonly string[] {
  const topics: string[] = []
  let bytes = 0
  for (const topic of waiting) {
    bytes += Buffer.byteLength(topic) + 1
    if (topics.length > 0 && bytes > MOST_BYTES) break
    topics.push(topic)
    waiting.delete(topic)
  }
  return topics
}
