// The highest entry of the log that this process knows. A log that does not have it any more has gone back: after the promotion of a node that
// had not received it, or a restore. Kept in `watermark.json` as well, for the next start.
import { z } from 'zod'
import { type Document, openDocument, type ReplaceFile } from '../../documents.js'
import { databaseWentBack, relayLogCut, relayLogNewer, relayOtherLog } from '../../errors.js'
import { RULES } from '../../events/write/decide.js'
import type { Queries } from '../change.js'
import { SHARD } from './schema.js'

const SAVE_EVERY_MS = 1000

/** Without origin and number only its position is known. */
const MARK = z.strictObject({ pos: z.int(), origin: z.uuid().optional(), oseq: z.int().optional() })
const STATE = z.strictObject({
  wentBack: z.boolean(),
  /** Id of the log. */
  log: z.uuid().optional(),
  divergedAt: z.int().optional(),
  mark: MARK.optional(),
})
type State = z.infer<typeof STATE>

type Mark = z.infer<typeof MARK>

export interface Marks {
  /** The id of the log that all marks are of. */
  follows(log: string): void
  /** This entry is in the log. */
  saw(mark: Mark): void
  /** The entries after this position are still needed here. */
  needs(after: number): void
  /** The log has lost entries; so the process stops, also after a restart. */
  readonly hasGoneBack: boolean
  /** This front end has decided otherwise than the others: so it stops, also after a restart. */
  readonly divergedAt: number | undefined
  diverged(pos: number): Promise<void>
  /** Throws RELAY_OTHER_LOG, RELAY_LOG_NEWER, DATABASE_WENT_BACK, RELAY_LOG_CUT when this log does not go on from what was seen. */
  requireIn(db: Queries): Promise<void>
  close(): Promise<void>
}

export interface MarksFile {
  readonly path: string
  readonly replace: ReplaceFile
}

/** The head; the entry at a position; the first position that is still there. */
const LOOK = `SELECT h.pos, l.origin, l.oseq, (SELECT min(pos) FROM log WHERE shard = ${SHARD}), h.id::text, h.rules
  FROM head h LEFT JOIN log l ON l.shard = h.shard AND l.pos = ? WHERE h.shard = ${SHARD}`

/** Throws DOCUMENT_DAMAGED. */
export async function openMarks(file: MarksFile | undefined): Promise<Marks> {
  const document: Document<State> | undefined =
    file && (await openDocument({ ...file, schema: STATE, initial: { wentBack: false } }))
  let state: State = document?.read() ?? { wentBack: false }
  let needed: number | undefined
  let timer: NodeJS.Timeout | undefined

  async function save(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await document?.update(() => state)
  }

  async function wentBack(missing: number): Promise<never> {
    state = { ...state, wentBack: true }
    // A full disk changes nothing about it.
    await save().catch(() => undefined)
    throw databaseWentBack(missing)
  }

  return {
    follows(log) {
      state = { ...state, log }
    },
    saw(mark) {
      if (state.mark && mark.pos < state.mark.pos) return
      state = { ...state, mark }
      // A full disk must not end the process: the mark is in memory, and the next entry tries again.
      if (document) timer ??= setTimeout(() => void save().catch(() => undefined), SAVE_EVERY_MS).unref()
    },
    needs(after) {
      needed = after
      if (after > (state.mark?.pos ?? 0)) state = { ...state, mark: { pos: after } }
    },
    get hasGoneBack() {
      return state.wentBack
    },
    get divergedAt() {
      return state.divergedAt
    },
    async diverged(pos) {
      state = { ...state, divergedAt: pos }
      await save().catch(() => undefined)
    },
    async requireIn(db) {
      const { pos = 0, origin, oseq } = state.mark ?? {}
      const [head, foundOrigin = null, foundSeq, oldest, log, rules] = (await db.get(LOOK, [pos])) ?? []
      requireLog(state, log)
      requireRules(Number(rules), Number(head))
      if (Number(head) < pos) return wentBack(pos - Number(head))
      const isOther = origin !== undefined && (foundOrigin !== origin || Number(foundSeq) !== oseq)
      if (foundOrigin !== null && isOther) return wentBack(1)
      const begin = oldest === null ? Number(head) + 1 : Number(oldest)
      if (needed !== undefined && begin > needed + 1) throw relayLogCut(needed + 1, begin)
    },
    async close() {
      if (timer !== undefined) await save().catch(() => undefined)
    },
  }
}

/** The next entry would be decided by rules that this version does not know. */
function requireRules(rules: number, head: number): void {
  if (rules > RULES) throw relayLogNewer(head + 1)
}

function requireLog({ log: known }: State, log: unknown): void {
  if (known !== undefined && known !== log) throw relayOtherLog()
}
