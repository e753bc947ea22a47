// What a batch must know of the events already stored, asked once for all of them: one statement per question, however large the batch.
import { membersOf, parseJson } from '../../../lib/parse-json.js'
import { authorAt, createdAt, idAt, kindAt, type NostrEvent } from '../../../nostr/event/index.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import { type IndexKeys, indexKeysOf } from '../index/index-keys.js'
import { addressHash } from '../index/key-numbers.js'
import type { EventStage } from '../staging/stage.js'
import type { Staged } from '../staging/staged-event.js'
import { addressText } from './deletions.js'

/** A stored event, without content and signature. */
export interface Stored {
  readonly seq: number
  readonly event: NostrEvent
  readonly keys: IndexKeys
}

const BY_PREFIX = 'SELECT seq FROM by_id WHERE prefix IN (SELECT value FROM json_each(?))'
const BY_ADDRESS = 'SELECT seq FROM by_address WHERE hash IN (SELECT value FROM json_each(?))'
const DELETED = 'SELECT target, until FROM deletion WHERE target IN (SELECT value FROM json_each(?))'
/** Where an event's content begins: its name with the quotes stands nowhere before it. */
const CONTENT = '],"content":"'
/** Without content, which nobody asks for here: a deletion may name two thousand events of 128 kB. */
const EVENTS = `
  SELECT seq, CAST(substr(text, 1, instr(text, CAST('${CONTENT}' AS BLOB))) || '}' AS BLOB)
  FROM event WHERE seq IN (SELECT value FROM json_each(?))`

/** Texts that are read into memory at once. */
const SLICE = 256

/** Numbers of events that are known otherwise, or are no more. */
type Skipped = (seq: number) => boolean

/** By id: the events whose ids begin like these, and perhaps others. */
export const findByPrefix = (db: Sqlite, prefixes: readonly number[], except: Skipped): ReadonlyMap<string, Stored> =>
  new Map(find(db, BY_PREFIX, prefixes, except).map((stored) => [stored.event.id, stored]))

/** By address: the events under these hashes, and perhaps others. */
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

/** By target: up to when events are refused. */
export const findDeleted = (db: Sqlite, targets: readonly string[]): ReadonlyMap<string, number> =>
  new Map(db.all(DELETED, [JSON.stringify(targets)]).map(([target, until]) => [String(target), Number(until)]))

function find(db: Sqlite, sql: string, values: readonly number[], except: Skipped): readonly Stored[] {
  if (values.length === 0) return []
  const seqs = db.all(sql, [`[${values.join()}]`]).map(([seq]) => Number(seq))
  return readEvents(
    db,
    seqs.filter((seq) => !except(seq)),
  )
}

/** The events of these numbers that are still there, in no particular order. */
export function readEvents(db: Sqlite, seqs: readonly number[]): readonly Stored[] {
  const found: Stored[] = []
  for (let at = 0; at < seqs.length; at += SLICE)
    for (const [seq, text] of db.all(EVENTS, [`[${seqs.slice(at, at + SLICE).join()}]`])) {
      const stored = storedOf(Number(seq), text)
      if (stored) found.push(stored)
    }
  return found
}

/** Of a staged one; its content, which may be 128 kB, is not read. */
export const asStored = ({ seq, keys, bytes, start, end }: Staged): Stored | undefined =>
  storedFrom(seq, bytes.subarray(start, end), keys)

/** Undefined for a text that is no event: such a row was not written by this program. */
export function storedOf(seq: number, text: unknown): Stored | undefined {
  if (!(text instanceof Uint8Array)) return undefined
  return storedFrom(seq, Buffer.from(text.buffer, text.byteOffset, text.byteLength))
}

/**
 * Made by `eventText` and written by this program: what was checked then is not checked again, which would take longer than reading it. Tags and keys
 * are made when they are asked for: who names two thousand events of others with two thousand tags each is refused by their authors alone.
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
