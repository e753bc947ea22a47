// Keeps the search index: rows of deleted events leave it in the transaction of the deletion; new and old events enter it in slices, with the
// number up to which it is complete in the same transaction. So it needs no repair after a crash.
import { parseJson } from '../../../lib/parse-json.js'
import { type EventText, kindAt, parseEvent } from '../../../nostr/event/index.js'
import { searchTermsOf } from '../../../nostr/search/index.js'
import { inTransaction, type Sqlite } from '../../sqlite/sqlite.js'
import { type IndexKeys, indexKeysOf } from '../index/index-keys.js'
import type { Decided } from '../write/decide.js'
import { createPendingSearch, type PendingSearch } from './pending-search.js'
import {
  authorTerm,
  createTables,
  dropSome,
  kindTerm,
  mergeSome,
  readSearchProgress,
  type SearchProgress,
  searchFormat,
  searchRow,
} from './search-tables.js'

export interface SearchIndex {
  /** True while the tables can be asked. */
  readonly isReady: boolean
  /** Events that are not in the tables. */
  readonly pending: PendingSearch
  /**
   * Within a transaction, after its events are written: removes rows of deleted events, and indexes some pending ones. Call the result after the
   * commit.
   */
  write(change: Decided): () => void
  /** Indexes, merges or drops a slice in a transaction of its own. False: nothing is left to do. */
  step(): boolean
  /** Indexes what is pending, when the store closes. Old events that were never indexed stay for the next start. */
  finish(): void
}

interface Parts {
  readonly db: Sqlite
  /** Kinds to search; empty: search is off, and the tables are dropped. Undefined: the tables stay as they are, without new events. */
  readonly kinds: readonly number[] | undefined
  /** The highest number of an event. */
  readonly lastSeq: () => number
  readonly sizes?: SearchSizes
  /** Called after each slice with an estimate of its bytes in the log. */
  readonly wrote: (bytes: number) => void
}

/** Bytes of a slice in the log, about. */
const LOGGED_BYTES = 300_000
export interface SearchSizes {
  /** Events per slice. */
  readonly slice: number
  /** New events after which a commit indexes some. */
  readonly due: number
  /** So many events that the store waits at its start until they are indexed, or until their index is dropped. */
  readonly few: number
}

/** A slice takes about four milliseconds. */
const SEARCH_SIZES: SearchSizes = { slice: 160, due: 64, few: 1024 }

/** Terms and bytes after which a slice ends. */
const SLICE_TERMS = 4000
const SLICE_BYTES = 524_288
/** Events indexed for each new one. */
const HASTE = 1.5

type Removed = Decided['removed'][number]

interface SearchEntry {
  readonly seq: number
  readonly row: bigint
  readonly kind: number
  readonly pubkey: string
  readonly terms: ReadonlySet<string>
}

interface Slice {
  readonly entries: readonly SearchEntry[]
  /** The index is complete up to this number. */
  readonly upTo: number
  /** True when the event table holds no more. */
  readonly isLast: boolean
}

export function createSearchIndex({ db, kinds, lastSeq, sizes = SEARCH_SIZES, wrote }: Parts): SearchIndex {
  const pending = createPendingSearch()
  const searched = new Set(kinds)
  const format = searchFormat(kinds ?? [])
  let state: 'absent' | 'ready' | 'dropping' = 'absent'
  let upTo = 0
  /** True: every event above `upTo` that can be searched is pending. */
  let isComplete = false
  let credit = 0
  /** False: segments may be left that slices did not merge. */
  let isMerged = false

  const isOn = searched.size > 0
  const canBeIn = ({ event }: Removed): boolean => !isOn || searched.has(event.kind)

  function open(): void {
    const found = readSearchProgress(db)
    if (found) resume(found)
    else if (isOn) create()
    while (isDueAtStart()) workSlice()
  }

  /** True while a small rest is dropped or indexed before the store opens. */
  function isDueAtStart(): boolean {
    if (state === 'dropping') return lastSeq() <= sizes.few
    return isOn && !isComplete && lastSeq() - upTo <= sizes.few
  }

  function resume({ format: made, upTo: reached, isDropping }: SearchProgress): void {
    const isOther = kinds !== undefined && (!isOn || made !== format)
    state = isDropping || isOther ? 'dropping' : 'ready'
    // A number may be given again when the last events were deleted before a restart.
    upTo = Math.min(reached, lastSeq())
    isComplete = upTo >= lastSeq()
  }

  function create(): void {
    inTransaction(db, () => createTables(db, format))
    state = 'ready'
    upTo = 0
    isComplete = lastSeq() === 0
  }

  /** Events that the current transaction deletes are skipped. */
  function nextSlice(count: number, removed: readonly Removed[] = []): Slice {
    if (!isComplete) return storedSlice(db, upTo, count, searched)
    const gone = new Set(removed.map(({ seq }) => seq))
    return pendingSlice(pending, { count, lastSeq: lastSeq(), gone })
  }

  function settle({ upTo: reached, isLast }: Slice): void {
    upTo = reached
    isMerged = false
    pending.removeUpTo(reached)
    if (isLast) isComplete = true
  }

  function dropSlice(): void {
    if (!inTransaction(db, () => dropSome(db))) return
    state = 'absent'
    if (isOn) create()
  }

  /** Works in a transaction of its own; false: nothing is left to do. */
  function workSlice(): boolean {
    if (state === 'dropping') {
      dropSlice()
      return true
    }
    if (!isOn || state !== 'ready' || (isComplete && pending.size === 0)) return false
    const slice = nextSlice(sizes.slice)
    inTransaction(db, () => writeSlice(db, slice))
    settle(slice)
    return true
  }

  /** False: there is nothing to merge. */
  function mergeSlice(): boolean {
    if (isMerged || !isOn || state !== 'ready') return false
    isMerged = !inTransaction(db, () => mergeSome(db))
    return !isMerged
  }

  function step(): boolean {
    const worked = workSlice() || mergeSlice()
    if (worked) wrote(LOGGED_BYTES)
    return worked
  }

  /** The slice that a commit writes besides, in proportion to what it adds. */
  function sliceDue({ added, removed }: Decided): Slice | undefined {
    if (!isOn || state !== 'ready') return undefined
    credit = Math.min(credit + added.length * HASTE, sizes.slice)
    if (credit < sizes.due || (isComplete && pending.size < sizes.due)) return undefined
    return nextSlice(Math.ceil(credit), removed)
  }

  function admit(seq: number, text: EventText, keys: IndexKeys): void {
    if (seq <= upTo || !searched.has(keys.kind)) return
    if (!pending.add({ seq, event: text.event, keys, text: text.bytes })) isComplete = false
  }

  open()

  return {
    get isReady() {
      return state === 'ready' && isOn
    },
    pending,
    write(change) {
      if (state === 'absent') return () => undefined
      if (state === 'ready') removeRows(db, change.removed.filter(canBeIn), upTo)
      const slice = sliceDue(change)
      if (slice) writeSlice(db, slice)
      return () => {
        if (slice) {
          credit = 0
          settle(slice)
          wrote(LOGGED_BYTES)
        }
        for (const { seq } of change.removed) pending.remove(seq)
        if (isOn) for (const { seq, text, keys } of change.added) admit(seq, text, keys)
      }
    },
    step,
    finish() {
      while (state === 'ready' && isComplete && workSlice());
    },
  }
}

interface Bounds {
  readonly count: number
  readonly lastSeq: number
  readonly gone: ReadonlySet<number>
}

function pendingSlice(pending: PendingSearch, { count, lastSeq, gone }: Bounds): Slice {
  const entries: SearchEntry[] = []
  let terms = 0
  for (const { seq, row, event, terms: own } of pending.all()) {
    if (entries.length >= count || terms > SLICE_TERMS) return { entries, upTo: seq - 1, isLast: false }
    if (gone.has(seq)) continue
    entries.push({ seq, row, kind: event.kind, pubkey: event.pubkey, terms: own })
    terms += own.size
  }
  return { entries, upTo: lastSeq, isLast: true }
}

const STORED = 'SELECT seq, text FROM event WHERE seq > ? ORDER BY seq LIMIT ?'

function storedSlice(db: Sqlite, after: number, count: number, kinds: ReadonlySet<number>): Slice {
  const entries: SearchEntry[] = []
  let [terms, bytes, upTo] = [0, 0, after]
  const rows = db.all(STORED, [after, count])
  for (const [seq, text] of rows) {
    if (terms > SLICE_TERMS || bytes > SLICE_BYTES) return { entries, upTo, isLast: false }
    upTo = Number(seq)
    if (!(text instanceof Uint8Array)) continue
    bytes += text.length
    const event = eventIn(Buffer.from(text.buffer, text.byteOffset, text.byteLength), kinds)
    if (!event) continue
    const own = searchTermsOf(event)
    entries.push({
      seq: upTo,
      row: searchRow(indexKeysOf(event), upTo),
      kind: event.kind,
      pubkey: event.pubkey,
      terms: own,
    })
    terms += own.size
  }
  return { entries, upTo, isLast: rows.length < count }
}

/** Undefined for other kinds. */
const eventIn = (text: Buffer, kinds: ReadonlySet<number>) =>
  kinds.has(kindAt(text, 0)) ? parseEvent(parseJson(text.toString())) : undefined

const INSERT = 'INSERT INTO search (rowid, terms) VALUES (?, ?)'
const INSERT_ROW = 'INSERT INTO search_row (row, seq) VALUES (?, ?) ON CONFLICT DO NOTHING'

/** In order of rows, so that the index writes the slice as one segment. */
function writeSlice(db: Sqlite, { entries, upTo }: Slice): void {
  for (const { seq, row, kind, pubkey, terms } of [...entries].sort((a, b) => (a.row < b.row ? -1 : 1))) {
    if (db.run(INSERT_ROW, [row, seq]) === 0) continue
    db.run(INSERT, [row, [kindTerm(kind), authorTerm(pubkey), ...terms].join(' ')])
  }
  mergeSome(db)
  db.run('UPDATE search_progress SET upto = ?', [upTo])
}

function removeRows(db: Sqlite, removed: readonly Removed[], upTo: number): void {
  for (const { seq, keys } of removed) {
    if (seq > upTo) continue
    const row = searchRow(keys, seq)
    if (db.run('DELETE FROM search_row WHERE row = ? AND seq = ?', [row, seq]) > 0)
      db.run('DELETE FROM search WHERE rowid = ?', [row])
  }
}
