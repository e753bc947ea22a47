// The in-memory state of the writing process. It changes after a commit, never before.

import { foreignText } from '../../../lib/plain-text.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import type { Generation } from '../index/generation.js'
import type { IndexKeys } from '../index/index-keys.js'
import type { Shuffle } from '../staging/key-table.js'
import { createTwoStages, type TwoStages } from '../staging/stage.js'
import type { Decided } from './decide.js'
import { storedOf } from './lookups.js'

export interface WriterState {
  readonly stage: TwoStages
  /** Deleted events whose index rows may still exist: readers ignore these rows. */
  readonly tombstones: Map<number, IndexKeys>
  /** Number of tags of all tombstones, for their memory. */
  tombstoneTags: number
  generation: Generation | undefined
  /** How often rows of tombstones were erased. */
  erasures: number
  /** Events up to this number have all their index rows. */
  indexed: number
  /** An earlier process may have written rows of events up to this number. */
  begun: number
  nextSeq: number
  /** Number of stored events. */
  events: number
  /** True when a deletion is stored. */
  deletions: boolean
}

const emptyWriterState = (shuffle?: Shuffle): WriterState => ({
  stage: createTwoStages(shuffle),
  tombstones: new Map(),
  tombstoneTags: 0,
  generation: undefined,
  erasures: 0,
  indexed: 0,
  begun: 0,
  nextSeq: 1,
  events: 0,
  deletions: false,
})

/** True when some of an event's index rows may be written. */
export const hasRows = ({ indexed, begun, generation }: WriterState, seq: number): boolean =>
  seq <= Math.max(indexed, begun, generation?.upTo ?? 0)

/** Records a deleted event whose rows remain. */
function addTombstone(state: WriterState, seq: number, keys: IndexKeys): void {
  state.tombstones.set(seq, keys)
  state.tombstoneTags += keys.tags.length
}

/** Applies a committed change. */
export function recordChange(state: WriterState, { added, removed, marks }: Decided): void {
  for (const { seq, text, keys } of added) {
    state.stage.add({ seq, text, keys })
    state.nextSeq = Math.max(state.nextSeq, seq + 1)
  }
  const { generation, indexed } = state
  for (const stored of removed) {
    if (hasRows(state, stored.seq)) addTombstone(state, stored.seq, stored.keys)
    if (generation && stored.seq > indexed && stored.seq <= generation.upTo) generation.lost++
    state.stage.remove(stored.seq)
  }
  state.events += added.length - removed.length
  if (marks.length > 0) state.deletions = true
}

// Restores the writer's state at the start. Events without all index rows are read back into the stage.

/** Texts per statement: numbers, and texts with line breaks. */
const SLICE = 500
const TAIL = `
  SELECT group_concat(seq), CAST(group_concat(text, x'0a') || x'0a' AS BLOB)
  FROM (SELECT seq, text FROM event WHERE seq > ? ORDER BY seq LIMIT ?)`
const HIGHEST =
  'SELECT max(coalesce((SELECT max(seq) FROM event), 0), coalesce((SELECT max(seq) FROM gone), 0), begun) FROM progress'
const LINE_BREAK = 10

export function recover(db: Sqlite, shuffle?: Shuffle): WriterState {
  const [indexed, begun, events] = (db.get('SELECT indexed, begun, events FROM progress') ?? []).map(Number)
  const state = emptyWriterState(shuffle)
  state.indexed = indexed ?? 0
  state.begun = begun ?? 0
  for (const [seq, keys] of db.all('SELECT seq, keys FROM gone')) addTombstone(state, Number(seq), parseKeys(keys))
  readTail(db, state)
  state.events = (events ?? 0) + state.stage.size
  state.nextSeq = Number(db.get(HIGHEST)?.[0] ?? 0) + 1
  state.deletions = db.get('SELECT 1 FROM deletion LIMIT 1') !== undefined
  return state
}

function readTail(db: Sqlite, state: WriterState): void {
  let last = state.indexed
  for (let more = true; more; ) {
    const [seqs, texts] = db.all(TAIL, [last, SLICE])[0] ?? []
    const numbers = typeof seqs === 'string' ? seqs.split(',').map(Number) : []
    if (texts instanceof Uint8Array) stageTexts(state, numbers, Buffer.from(texts))
    last = numbers.at(-1) ?? last
    more = numbers.length === SLICE
  }
}

function stageTexts({ stage }: WriterState, numbers: readonly number[], texts: Buffer): void {
  let start = 0
  for (const seq of numbers) {
    const end = texts.indexOf(LINE_BREAK, start)
    const bytes = texts.subarray(start, end)
    const stored = storedOf(seq, bytes)
    if (stored) stage.add({ seq, keys: stored.keys, text: { event: stored.event, bytes } })
    start = end + 1
  }
}

/** Only this program writes this column. */
const parseKeys = (text: unknown): IndexKeys => JSON.parse(foreignText(text)) as IndexKeys
