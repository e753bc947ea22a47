// What the writing process must know before its first change. Events that have not all their index rows are read back into the stage.
import type { Sqlite } from '../sqlite.js'
import type { IndexKeys } from './index-keys.js'
import { storedOf } from './lookups.js'
import { nothingRemembered, type Remembered } from './remembered.js'

/** Texts that are read at once. */
const SLICE = 500
const TAIL = 'SELECT seq, text FROM event WHERE seq > ? ORDER BY seq LIMIT ?'
const HIGHEST =
  'SELECT max(coalesce((SELECT max(seq) FROM event), 0), coalesce((SELECT max(seq) FROM gone), 0), begun) FROM progress'

export function recover(db: Sqlite): Remembered {
  const [indexed, events] = (db.get('SELECT indexed, events FROM progress') ?? []).map(Number)
  const remembered = nothingRemembered()
  remembered.indexed = indexed ?? 0
  for (const [seq, keys] of db.all('SELECT seq, keys FROM gone')) remembered.gone.set(Number(seq), parseKeys(keys))
  readTail(db, remembered)
  remembered.events = (events ?? 0) + remembered.stage.size
  remembered.nextSeq = Number(db.get(HIGHEST)?.[0] ?? 0) + 1
  remembered.deletions = db.get('SELECT 1 FROM deletion LIMIT 1') !== undefined
  return remembered
}

function readTail(db: Sqlite, remembered: Remembered): void {
  let last = remembered.indexed
  for (let more = true; more; ) {
    const rows = db.all(TAIL, [last, SLICE])
    more = rows.length === SLICE
    for (const [seq, text] of rows) {
      last = Number(seq)
      const stored = storedOf(last, text)
      if (stored && text instanceof Uint8Array)
        remembered.stage.add({ seq: last, keys: stored.keys, text: { event: stored.event, bytes: Buffer.from(text) } })
    }
  }
}

/** Written by this program only. */
const parseKeys = (text: unknown): IndexKeys => JSON.parse(String(text)) as IndexKeys
