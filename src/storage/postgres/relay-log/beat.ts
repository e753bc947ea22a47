// Keeps the row of this front end fresh, and compares its decisions with those of the others.

import { messageOf } from '../../../lib/errors.js'
import type { Clock, Log } from '../../../lib/ports.js'
import type { LogDigest } from '../../../relay/index.js'
import type { Transactions } from '../transactions.js'
import { compareDigests, type FrontEnd, type Progress, tellProgress } from './front-ends.js'

const BEAT_MS = 5000

interface BeatParts {
  readonly frontEnd: FrontEnd
  readonly after: number
  readonly transactions: Transactions
  readonly clock: Clock
  readonly log: Pick<Log, 'info' | 'warn'> | undefined
  readonly signal: AbortSignal
  /** The last position of the log, after each beat. */
  heardHead(head: number): void
  /** Most front ends decided otherwise. */
  diverged(pos: number): void
}

export interface Beat {
  /** The first row is written; others wait for this front end from now on. */
  readonly begun: Promise<void>
  report(digest: LogDigest): void
  readonly ended: Promise<void>
}

export function startBeat(parts: BeatParts): Beat {
  const { frontEnd, transactions, clock, log, signal } = parts
  let progress: Progress = { pos: parts.after }
  let reported: LogDigest | undefined
  let stopWaiting = (): void => undefined
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })

  const tell = async (): Promise<void> => parts.heardHead(await tellProgress(transactions, frontEnd, progress))

  async function compare(): Promise<void> {
    const { pos, digest } = progress
    if (!digest) return
    const comparison = await compareDigests(transactions, { pos, digest })
    if (comparison === 'differs') log?.warn({ pos }, 'front ends differ in their events, and none is in the majority')
    if (comparison === 'diverged') parts.diverged(pos)
  }

  async function round(): Promise<void> {
    // Those that are slower have reached the position before by now.
    await compare()
    if (reported) progress = reported
    reported = undefined
    await tell()
    begin()
    await compare()
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await round().catch((error: unknown) =>
        log?.info({ cause: messageOf(error) }, 'the other front ends cannot be reached'),
      )
      const waiting = new AbortController()
      stopWaiting = () => waiting.abort()
      if (!reported && !signal.aborted) await clock.sleep(BEAT_MS, waiting.signal)
    }
  }

  signal.addEventListener('abort', () => stopWaiting())
  return {
    begun,
    report(digest) {
      reported = digest
      stopWaiting()
    },
    ended: run(),
  }
}
