// A relay's database read from outside: own statements, own arithmetic for every index. What is said here is what the schema and the specification
// promise, not what the program does.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { type Signed, sha256 } from './relay-people.js'

/** Without what nothing here looks at, because there may be many. */
export type Kept = Omit<Signed, 'content' | 'sig'>

export interface Stored {
  readonly seq: number
  readonly event: Kept
  readonly digest: string
  /** Epoch seconds; undefined: never. */
  readonly expires: number | undefined
}

/** A mark that follows from an event which is not stored any more: the place of a deleted version, under a hash of its address. */
interface VersionMark {
  readonly target: string
  readonly until: number
}

export interface StoredFile {
  readonly events: ReadonlyMap<string, Stored>
  readonly versionMarks: readonly VersionMark[]
  readonly faults: readonly string[]
  /** The kill came between the slices of an indexing, or while rows of removed events were left. */
  readonly wasIndexing: boolean
  readonly wasRemoving: boolean
}

type Rows = readonly (readonly unknown[])[]
interface Progress {
  readonly indexed: number
  readonly begun: number
  readonly events: number
}

const TABLES = ['by_id', 'by_time', 'by_kind', 'by_author', 'by_tag', 'by_address'] as const

/** Looks at a copy, because opening the file itself would repair it. `clean`: its process ended in order, so nothing may be left to do. */
export function readStored(path: string, clean = false): StoredFile {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-relay-look-'))
  try {
    const copy = join(folder, 'relay.db')
    for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end)
    return readCopy(copy, clean)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readCopy(path: string, clean: boolean): StoredFile {
  const db = new Database(path)
  try {
    const all = (sql: string): Rows => db.prepare(sql).raw(true).all() as Rows
    const faults: string[] = []
    const [check] = all('PRAGMA integrity_check')
    if (check?.[0] !== 'ok') faults.push(`the file is damaged: ${check}`)
    const stored = all('SELECT seq, CAST(text AS BLOB), expires FROM event').map((row) => readRow(row, faults))
    const events = new Map(stored.map((one) => [one.event.id, one]))
    if (events.size < stored.length) faults.push(`${stored.length - events.size} events are stored twice`)
    const [indexed = 0, begun = 0, count = 0] = (all('SELECT indexed, begun, events FROM progress')[0] ?? []).map(
      Number,
    )
    const progress = { indexed, begun, events: count }
    const gone = new Set(all('SELECT seq FROM gone').map(([seq]) => Number(seq)))
    const marks = marksIn(all, stored)
    faults.push(...indexFaults(all, stored, progress, gone), ...expiryFaults(all, stored), ...marks.faults)
    if (clean && (begun !== indexed || gone.size > 0 || stored.some(({ seq }) => seq > indexed)))
      faults.push('it ended in order, and left events that are not indexed')
    const { versionMarks } = marks
    return { events, versionMarks, faults, wasIndexing: begun > indexed, wasRemoving: gone.size > 0 }
  } finally {
    db.close()
  }
}

function readRow([seq, text, expires]: readonly unknown[], faults: string[]): Stored {
  const bytes = Buffer.from(text as Uint8Array)
  const event = JSON.parse(bytes.toString()) as Signed
  const { id, pubkey, created_at, kind, tags, content } = event
  const right = sha256(JSON.stringify([0, pubkey, created_at, kind, tags, content])).toString('hex')
  if (right !== id) faults.push(`event ${seq} has not its id`)
  const wanted = expiryOf(event)
  if ((wanted ?? null) !== expires) faults.push(`event ${seq} expires at ${wanted}, and is kept until ${expires}`)
  return {
    seq: Number(seq),
    event: { id, pubkey, created_at, kind, tags },
    digest: sha256(bytes).toString('base64'),
    expires: wanted,
  }
}

export const expiryOf = ({ tags }: Pick<Signed, 'tags'>): number | undefined => {
  const value = tags.find(([name]) => name === 'expiration')?.[1]
  return value === undefined ? undefined : Number(value)
}

/** "kind:key:identifier" of what replaces others. */
export function addressOf({ kind, pubkey, tags }: Pick<Signed, 'kind' | 'pubkey' | 'tags'>): string | undefined {
  if (kind === 0 || kind === 3 || (kind >= 10_000 && kind < 20_000)) return `${kind}:${pubkey}:`
  if (kind < 30_000 || kind >= 40_000) return undefined
  return `${kind}:${pubkey}:${tags.find(([name]) => name === 'd')?.[1] ?? ''}`
}

// The integers of the index tables: 48 bits of ids, keys and hashes, moved so that they have a sign; places are 32 bits of time and 16 of the id.
const start48 = (hex: string): number => Number.parseInt(hex.slice(0, 12), 16) - 2 ** 47
export const place = ({ created_at, id }: Pick<Kept, 'id' | 'created_at'>): number =>
  (created_at - 2 ** 31) * 65_536 + 65_535 - Number.parseInt(id.slice(0, 4), 16)

function tagNumber(letter: string, value: string): number {
  if (!/^[0-9a-f]{64}$/.test(value)) return start48(sha256(`${letter}\0${value}`).toString('hex'))
  const shift = letter.charCodeAt(0) * 2_199_023_255_579
  return ((Number.parseInt(value.slice(0, 12), 16) + shift) % 2 ** 48) - 2 ** 47
}

function rowsOf({ seq, event }: Stored): Readonly<Record<(typeof TABLES)[number], readonly string[]>> {
  const { id, pubkey, kind, tags } = event
  const at = place(event)
  const address = addressOf(event)
  const hashes = tags.flatMap(([name = '', value]) =>
    /^[A-Za-z]$/.test(name) && value !== undefined ? [tagNumber(name, value)] : [],
  )
  return {
    by_id: [`${start48(id)},${seq}`],
    by_time: [`${at},${seq}`],
    by_kind: [`${kind},${at},${seq}`],
    by_author: [`${start48(pubkey)},${kind},${at},${seq}`],
    by_tag: [...new Set(hashes)].map((hash) => `${hash},${kind},${at},${seq}`),
    by_address: address === undefined ? [] : [`${tagNumber('', address)},${seq}`],
  }
}

type All = (sql: string) => Rows

/** Every event in every index exactly once as soon as it counts as indexed, and no row of anything else, unless it is noted as left over. */
function indexFaults(all: All, stored: readonly Stored[], progress: Progress, gone: ReadonlySet<number>): string[] {
  const faults: string[] = []
  const { indexed, begun, events } = progress
  const counted = stored.filter(({ seq }) => seq <= indexed).length
  if (counted !== events) faults.push(`it counts ${events} indexed events of ${counted}`)
  for (const { seq } of stored) if (gone.has(seq)) faults.push(`event ${seq} is there and noted as gone`)
  const wanted = stored.map((one) => ({ seq: one.seq, rows: rowsOf(one) }))
  for (const table of TABLES) {
    const rows = all(`SELECT * FROM ${table}`).map((row) => row.join())
    const found = new Set(rows)
    if (found.size !== rows.length) faults.push(`${table} holds rows twice`)
    for (const one of wanted)
      for (const row of one.rows[table]) {
        const isThere = found.delete(row)
        if (!isThere && one.seq <= indexed) faults.push(`${table} lacks ${row}`)
        if (isThere && one.seq > begun) faults.push(`${table} has ${row} before its time`)
      }
    for (const row of found)
      if (!gone.has(Number(row.split(',').at(-1)))) faults.push(`${table} has a stray row ${row}`)
  }
  return faults
}

function expiryFaults(all: All, stored: readonly Stored[]): string[] {
  const wanted = stored.flatMap(({ seq, expires }) => (expires === undefined ? [] : [`${expires},${seq}`]))
  const found = all('SELECT expires, seq FROM expiry').map((row) => row.join())
  return difference('expiry', wanted, found)
}

/** The mark of the newest deleted version of an address. */
export const versionTarget = (address: string): string => sha256(`version:${address}`).toString('hex')

/**
 * The marks of deletions: first halves of id and author for an event, a hash for an address. Others must be of deleted versions, which are not there
 * any more: only who knows what was sent can judge them.
 */
function marksIn(all: All, stored: readonly Stored[]) {
  const marks = new Map<string, number>()
  const mark = (target: string, until: number) => marks.set(target, Math.max(marks.get(target) ?? 0, until))
  const deletions = new Set<number>()
  for (const { seq, event } of stored) {
    if (event.kind !== 5) continue
    deletions.add(seq)
    for (const [name, value = ''] of event.tags) {
      if (name === 'e') mark(value.slice(0, 32) + event.pubkey.slice(0, 32), 2 ** 47)
      if (name === 'a' && value.split(':')[1] === event.pubkey) mark(sha256(value).toString('hex'), event.created_at)
    }
  }
  const found = all('SELECT target, until, seq FROM deletion').map(([target, until, seq]) => ({
    target: String(target),
    until: Number(until),
    seq: Number(seq),
  }))
  const left = new Map(found.map(({ target, until }) => [target, until]))
  const lacking = [...marks].filter(([target, until]) => left.get(target) !== until)
  return {
    versionMarks: found.filter(({ target }) => !marks.has(target)),
    faults: [
      ...lacking.map((row) => `deletion lacks ${row}`),
      ...found
        .filter(({ seq }) => !deletions.has(seq))
        .map(({ target, until }) => `deletion has a stray row ${target},${until}: its deletion is not stored`),
    ],
  }
}

function difference(table: string, wanted: readonly string[], found: readonly string[]): string[] {
  const [there, right] = [new Set(found), new Set(wanted)]
  return [
    ...wanted.filter((row) => !there.has(row)).map((row) => `${table} lacks ${row}`),
    ...found.filter((row) => !right.has(row)).map((row) => `${table} has a stray row ${row}`),
  ]
}
