// Restores the writer's state at the start. Events without all index rows are read back into the stage.
import { foreignText } from '../../../lib/plain-text.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import type { IndexKeys } from '../index/index-keys.js'
import type { Shuffle } from '../staging/shuffle.js'
import { storedOf } from './lookups.js'
import { addTombstone, emptyWriterState, type WriterState } from './writer-state.js'

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
