// Hands the entries of the log to the store of this process, each once and in order. Own ones come as the objects that were appended.
import type { Clock } from '../../../lib/ports.js'
import type { LogEvent, LogFollower } from '../../../relay/index.js'
import { relayLogCut, relayLogNewer } from '../../errors.js'
import { RULES } from '../../events/write/decide.js'
import type { Pool } from '../pool.js'
import { parseBody } from './body.js'
import type { Marks } from './marks.js'
import type { OwnEntries } from './own-entries.js'
import type { BatchContent } from './queue.js'
import { type LogRow, readPage } from './reader.js'
import { succeeds, useConnection } from './use.js'

/** A bell may be lost. */
const LOOK_EVERY_MS = 20
/** At the start, until the log was read to its end once. */
export const UNKNOWN_LAG_MS = 60_000
/** Before the database, or the store, is asked again. */
const PAUSE_MS = 100

interface FollowingParts<Own extends LogEvent> {
  readonly origin: string
  readonly after: number
  readonly follower: LogFollower<Own>
  readonly own: OwnEntries<Own>
  readonly marks: Marks
  readonly pool: Pool
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The log cannot be followed any more. */
  lost(error: unknown): void
}

export interface Following {
  /** Of the last entry that was applied. */
  readonly position: number
  /** Monotonic: a time at which everything in the log was known, and has been applied since. */
  readonly caughtUpAt: number
  /** There may be something new. */
  wake(): void
  /** Resolves when the signal has aborted, or the log is lost. */
  readonly ended: Promise<void>
}

export function startFollowing<Own extends LogEvent>(parts: FollowingParts<Own>): Following {
  const { origin, follower, own, marks, pool, clock, signal } = parts
  let position = parts.after
  let caughtUpAt = clock.monotonic() - UNKNOWN_LAG_MS
  let isRung = false
  let stopWaiting = (): void => undefined

  /** Until something may be new. */
  async function rest(): Promise<void> {
    if (isRung || signal.aborted) return
    const waking = new AbortController()
    stopWaiting = () => waking.abort()
    await clock.sleep(LOOK_EVERY_MS, waking.signal)
  }

  /** Until the store has applied it. */
  async function untilApplied(apply: () => Promise<boolean>): Promise<void> {
    while (!(await apply()) && !signal.aborted) await clock.sleep(PAUSE_MS, signal)
  }

  /** What was appended here. Answers whether the store has it. */
  async function applyOwn(content: BatchContent<Own>, { pos, at, rules }: LogRow): Promise<boolean> {
    if (content.type === 'events') return !follower.applyEvents({ pos, at, rules, isOwn: true, events: content.events })
    const { change, applied } = content.waiting
    const isDone = await succeeds(follower.applyChange({ pos, at, change }))
    if (isDone) applied()
    return isDone
  }

  async function applyText({ pos, at, rules, body }: LogRow): Promise<boolean> {
    const entry = parseBody(body)
    if (!entry) throw relayLogNewer(pos)
    if (entry.type === 'change') return succeeds(follower.applyChange({ pos, at, change: entry.change }))
    return !follower.applyEvents({ pos, at, rules, isOwn: false, events: entry.events })
  }

  /** An own entry that was read before its outcome is known is on one machine, perhaps. */
  async function untilPlaced(oseq: number): Promise<void> {
    while (own.numbered(oseq)?.isPlaced === false && !signal.aborted) await clock.sleep(LOOK_EVERY_MS, signal)
  }

  async function apply(row: LogRow): Promise<void> {
    if (row.pos !== position + 1) throw relayLogCut(position + 1, row.pos)
    if (row.rules > RULES) throw relayLogNewer(row.pos)
    const isOwn = row.origin === origin
    if (isOwn) await untilPlaced(row.oseq)
    if (signal.aborted) return
    const entry = isOwn ? own.numbered(row.oseq) : undefined
    // Its clients may get `OK false` meanwhile; then it is an entry like any other.
    await untilApplied(() => (entry?.content ? applyOwn(entry.content, row) : applyText(row)))
    if (signal.aborted) return
    if (entry) own.delete(entry)
    position = row.pos
    marks.saw({ pos: row.pos, origin: row.origin, oseq: row.oseq })
    marks.needs(position)
  }

  /** Own entries need not be read when they follow on what was applied. */
  async function applyPlaced(): Promise<void> {
    for (let placed = own.at(position + 1); placed && !signal.aborted; placed = own.at(position + 1)) {
      const { at, oseq, body, placedAt } = placed.entry
      await apply({ pos: position + 1, at, origin, oseq, body, rules: placed.rules })
      caughtUpAt = placedAt
    }
  }

  async function look(): Promise<void> {
    const asked = clock.monotonic()
    const { rows, isFull } = await useConnection(pool, clock, (db) => readPage(db, position))
    for (const row of rows) if (!signal.aborted && row.pos > position) await apply(row)
    if (isFull) return
    caughtUpAt = asked
    await rest()
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      isRung = false
      try {
        await applyPlaced()
        await look()
      } catch (error) {
        if (relayLogCut.is(error) || relayLogNewer.is(error)) return parts.lost(error)
        await clock.sleep(PAUSE_MS, signal)
      }
    }
  }

  return {
    get position() {
      return position
    },
    get caughtUpAt() {
      return caughtUpAt
    },
    wake() {
      isRung = true
      stopWaiting()
    },
    ended: run(),
  }
}
