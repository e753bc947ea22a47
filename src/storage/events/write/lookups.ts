// Looks up stored events for a batch: one statement per question, however large the batch.

import { membersOf, parseJson } from '../../../lib/parse-json.js'
import { authorAt, createdAt, GIFT_WRAP_KIND, idAt, kindAt, type NostrEvent } from '../../../nostr/event/index.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import { addressHash, type IndexKeys, indexKeysOf, prefixOf } from '../index/index-keys.js'
import type { EventStage, Staged } from '../staging/stage.js'
import { addressText, type DeletionTargets } from './deletions.js'

/** The bound of a mark, and the number of its deletion. */
export interface KnownMark {
  readonly until: number
  readonly seq: number
}

/** A stored event, without content and signature. */
export interface Stored {
  readonly seq: number
  readonly event: NostrEvent
  readonly keys: IndexKeys
}

/** A statement for many values and one for a single value, as nearly all batches of a quiet relay have. */
interface Lookup {
  readonly many: string
  /** Its numbers with commas. */
  readonly one: string
}

const lookup = (table: string, column: string): Lookup => ({
  many: `SELECT seq FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`,
  one: `SELECT group_concat(seq) FROM ${table} WHERE ${column} = ?`,
})
const BY_PREFIX = lookup('by_id', 'prefix')
const BY_ADDRESS = lookup('by_address', 'hash')
/** An expired deletion refuses nothing, whether deleted yet or not. */
const DELETED = `
  SELECT d.target, d.until, d.seq FROM deletion d LEFT JOIN event e ON e.seq = d.seq
  WHERE d.target IN (SELECT value FROM json_each(?)) AND (e.expires IS NULL OR e.expires > ?)`
/** The start of the content: this text occurs nowhere before it. */
const CONTENT = '],"content":"'
/** Without content, which is not needed here: a deletion may name two thousand events of 128 kB. */
const HEAD = `CAST(substr(text, 1, instr(text, CAST('${CONTENT}' AS BLOB))) || '}' AS BLOB)`
const EVENTS = `SELECT seq, ${HEAD} FROM event WHERE seq IN (SELECT value FROM json_each(?))`
const EVENT = `SELECT ${HEAD} FROM event WHERE seq = ?`

/** Whose events a deletion may delete. */
export interface Deleter {
  /** 64 hex. */
  readonly author: string
  /** Whether gift wraps may be deleted by their recipients. */
  readonly wraps: boolean
}

/** With an author and `wraps`: an event of this author, or perhaps a gift wrap. Quotes in contents and tags are escaped, so none can fake a kind. */
const MAY_DELETE = `(CAST(substr(e.text, ${'{"id":"","pubkey":"'.length + 65}, 64) AS TEXT) = ?
  OR (? = 1 AND instr(CAST(substr(e.text, 1, 256) AS TEXT), '"kind":${GIFT_WRAP_KIND},') > 0))`
const NAMED = `SELECT i.seq, ${HEAD} FROM by_id i JOIN event e ON e.seq = i.seq
  WHERE i.prefix IN (SELECT value FROM json_each(?)) AND ${MAY_DELETE}`

/** Texts read at a time. */
const SLICE = 256

/** Events to skip: staged or deleted. */
type Skipped = (seq: number) => boolean

/** Events by id prefix, and perhaps others. */
export const findByPrefix = (db: Sqlite, prefixes: readonly number[], except: Skipped): ReadonlyMap<string, Stored> =>
  new Map(find(db, BY_PREFIX, prefixes, except).map((stored) => [stored.event.id, stored]))

/** Events by address hash, and perhaps others. */
export function findByAddress(db: Sqlite, hashes: readonly number[], except: Skipped): ReadonlyMap<string, Stored> {
  const found = new Map<string, Stored>()
  for (const stored of find(db, BY_ADDRESS, hashes, except)) {
    const address = addressText(stored.event)
    if (address !== undefined) found.set(address, stored)
  }
  return found
}

/** The staged version under an address. */
export function stagedByAddress(stage: Pick<EventStage, 'underAddress'>, address: string): Stored | undefined {
  for (const one of stage.underAddress(addressHash(address))) {
    const stored = asStored(one)
    if (stored && addressText(stored.event) === address) return stored
  }
  return undefined
}

/** The mark of each target that has one. `now` is epoch seconds. */
export const findMarks = (db: Sqlite, targets: readonly string[], now: number): ReadonlyMap<string, KnownMark> =>
  new Map(
    db
      .all(DELETED, [JSON.stringify(targets), now])
      .map(([target, until, seq]) => [String(target), { until: Number(until), seq: Number(seq) }]),
  )

/** The stored events among several that a deletion names, without those that it cannot delete: these may be large and many. */
export function findNamed(
  db: Sqlite,
  ids: readonly string[],
  { author, wraps }: Deleter,
  except: Skipped,
): readonly Stored[] {
  const rows = db.all(NAMED, [`[${ids.map(prefixOf).join()}]`, author, Number(wraps)])
  return rows.flatMap(([seq, text]) => (except(Number(seq)) ? [] : (storedOf(Number(seq), text) ?? [])))
}

function find(db: Sqlite, by: Lookup, values: readonly number[], except: Skipped): readonly Stored[] {
  if (values.length === 0) return []
  return readEvents(
    db,
    seqsOf(db, by, values).filter((seq) => !except(seq)),
  )
}

function seqsOf(db: Sqlite, { one, many }: Lookup, values: readonly number[]): readonly number[] {
  const [value = 0] = values
  if (values.length > 1) return db.all(many, [`[${values.join()}]`]).map(([seq]) => Number(seq))
  const seqs = db.get(one, [BigInt(value)])?.[0]
  return typeof seqs === 'string' ? seqs.split(',').map(Number) : []
}

/** The events with these numbers that still exist, unordered. */
export function readEvents(db: Sqlite, seqs: readonly number[]): readonly Stored[] {
  const found: Stored[] = []
  const [first = 0] = seqs
  if (seqs.length === 1) {
    const stored = storedOf(first, db.get(EVENT, [BigInt(first)])?.[0])
    return stored ? [stored] : []
  }
  for (let at = 0; at < seqs.length; at += SLICE)
    for (const [seq, text] of db.all(EVENTS, [`[${seqs.slice(at, at + SLICE).join()}]`])) {
      const stored = storedOf(Number(seq), text)
      if (stored) found.push(stored)
    }
  return found
}

/** From a staged event. Its content, up to 128 kB, is not parsed. */
export const asStored = ({ seq, keys, bytes, start, end }: Staged): Stored | undefined =>
  storedFrom(seq, bytes.subarray(start, end), keys)

/** Undefined for a text that is not an event: this program does not write such rows. */
export function storedOf(seq: number, text: unknown): Stored | undefined {
  if (!(text instanceof Uint8Array)) return undefined
  return storedFrom(seq, Buffer.from(text.buffer, text.byteOffset, text.byteLength))
}

/**
 * Texts were made by `eventText` and validated when written, so they are not checked again. Tags and keys are parsed lazily: a deletion that names
 * two thousand foreign events is refused by their authors alone.
 */
function storedFrom(seq: number, text: Buffer, known?: IndexKeys): Stored | undefined {
  if (!text.subarray(0, START.length).equals(START)) return undefined
  let tags: NostrEvent['tags'] | undefined
  let keys = known
  const event = {
    id: idAt(text, 0),
    pubkey: authorAt(text, 0),
    created_at: createdAt(text, 0),
    kind: kindAt(text, 0),
    get tags() {
      tags ??= tagsIn(text)
      return tags
    },
    content: '',
    sig: '',
  }
  return {
    seq,
    event,
    get keys() {
      keys ??= indexKeysOf(event)
      return keys
    },
  }
}

const START = Buffer.from('{"id":"')

function tagsIn(text: Buffer): NostrEvent['tags'] {
  const end = text.indexOf(CONTENT)
  const { tags } = membersOf(parseJson(`${text.toString('utf8', 0, end < 0 ? text.length - 1 : end + 1)}}`))
  return Array.isArray(tags) ? tags : []
}

// Limits the size of events that one deletion names. All of them are read for the decision, and index rows of deleted ones are recomputed, up to
// two thousand per event: one request of 130 kB could block the relay for seconds.

/** Limit for one deletion of several events. */
const MOST_BYTES = 1_048_576

const bytesSql = (table: string, column: string): string => `
  SELECT count(*), total(length(e.text)) FROM ${table} i JOIN event e ON e.seq = i.seq
  WHERE i.${column} IN (SELECT value FROM json_each(?)) AND i.seq <= ? AND (e.expires IS NULL OR e.expires > ?)`
/** Compares whole ids, as the stage does: others may share the first bits. */
const SIZE_BY_ID = `${bytesSql('by_id', 'prefix')}
  AND CAST(substr(e.text, ${'{"id":"'.length + 1}, 64) AS TEXT) IN (SELECT value FROM json_each(?))`
const DELETABLE = `${SIZE_BY_ID} AND ${MAY_DELETE}`
const SIZE_BY_ADDRESS = bytesSql('by_address', 'hash')

interface Moment {
  readonly db: Sqlite
  readonly state: { readonly stage: Pick<EventStage, 'get' | 'underAddress'>; readonly indexed: number }
  /** Epoch seconds. */
  readonly now: number
}

/**
 * True when a deletion names too much. The answer does not depend on what is staged, indexed or swept. Counts what the deleter may delete; all that
 * is named without one (rules 1).
 */
export function namesTooMuch({ db, state, now }: Moment, targets: DeletionTargets, deleter?: Deleter): boolean {
  const { stage, indexed } = state
  const { ids, addresses } = targets
  if (ids.length + addresses.length < 2) return false
  const hashes = addresses.map(addressHash)
  let [events, bytes] = [0, 0]
  const add = (sql: string, values: readonly number[], ...more: readonly (string | number)[]) => {
    if (values.length === 0) return
    const [count, sum] = db.get(sql, [`[${values.join()}]`, indexed, now, ...more]) ?? []
    events += Number(count)
    bytes += Number(sum)
  }
  const mayDelete = ({ bytes, start, keys }: Staged): boolean =>
    deleter === undefined ||
    authorAt(bytes, start) === deleter.author ||
    (deleter.wraps && keys.kind === GIFT_WRAP_KIND)
  const addStaged = (staged: Staged) => {
    const { seq, keys, start, end } = staged
    if (seq <= indexed || (keys.expires !== undefined && keys.expires <= now) || !mayDelete(staged)) return
    events++
    bytes += end - start
  }
  const prefixes = ids.map(prefixOf)
  if (deleter) add(DELETABLE, prefixes, JSON.stringify(ids), deleter.author, Number(deleter.wraps))
  else add(SIZE_BY_ID, prefixes, JSON.stringify(ids))
  add(SIZE_BY_ADDRESS, hashes)
  for (const id of ids) {
    const staged = stage.get(id)
    if (staged) addStaged(staged)
  }
  for (const hash of hashes) for (const staged of stage.underAddress(hash)) addStaged(staged)
  return events > 1 && bytes > MOST_BYTES
}
