// The database of a million events for the bench of the store's reads, filled by the shortest way.
import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'libsql'
import { eventText, type NostrEvent } from '../src/nostr/event/index.js'
import { type IndexKeys, indexKeysOf } from '../src/storage/events/index-keys.js'
import { eventSchema } from '../src/storage/migrations/events-001.js'

const FOLDER = join(homedir(), '.cache', 'grinpay-bench')
const DATABASE = join(FOLDER, 'reads.db')

type Rows = Record<'by_id' | 'by_time' | 'by_kind' | 'by_author' | 'by_tag', number[][]>

function collect(rows: Rows, seq: number, keys: IndexKeys): void {
  const { prefix, place, kind, author } = keys
  rows.by_id.push([prefix, seq])
  rows.by_time.push([place, seq])
  rows.by_kind.push([kind, place, seq])
  rows.by_author.push([author, kind, place, seq])
  for (const hash of keys.tags) rows.by_tag.push([hash, kind, place, seq])
}

const byColumns = (a: number[], b: number[]): number => {
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** The database's path; made from `set` unless it is there. Replaceable events keep their last version, as in a relay. */
export async function readsDatabase(set = '1m'): Promise<string> {
  if (existsSync(DATABASE)) return DATABASE
  const part = `${DATABASE}.part`
  rmSync(part, { force: true })
  const db = new Database(part)
  db.exec('PRAGMA page_size=4096;PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF;PRAGMA cache_size=-262144')
  db.exec(eventSchema)
  const rows: Rows = { by_id: [], by_time: [], by_kind: [], by_author: [], by_tag: [] }
  const latest = new Map<number, { seq: number; keys: IndexKeys }>()
  const gone = new Set<number>()
  const insert = db.prepare('INSERT INTO event (seq, text, expires) VALUES (?, ?, ?)')
  const kept: { seq: number; keys: IndexKeys }[] = []
  db.exec('BEGIN')
  let seq = 0
  for await (const line of createInterface({ input: createReadStream(join(FOLDER, `${set}.jsonl`)) })) {
    const text = eventText(JSON.parse(line) as NostrEvent)
    if (text === undefined) throw new Error('a wrong id')
    seq++
    const keys = indexKeysOf(text.event)
    insert.run(seq, text.bytes, null)
    kept.push({ seq, keys })
    if (keys.address === undefined) continue
    const last = latest.get(keys.address)
    if (last !== undefined && last.keys.place > keys.place) gone.add(seq)
    else {
      if (last !== undefined) gone.add(last.seq)
      latest.set(keys.address, { seq, keys })
    }
  }
  for (const one of kept) if (!gone.has(one.seq)) collect(rows, one.seq, one.keys)
  for (const one of gone) db.prepare('DELETE FROM event WHERE seq = ?').run(one)
  for (const [table, list] of Object.entries(rows)) {
    list.sort(byColumns)
    const insertRow = db.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${list[0]?.map(() => '?').join()})`)
    for (const row of list) insertRow.run(...row)
  }
  db.exec(`UPDATE progress SET indexed = ${seq}`)
  db.exec('COMMIT')
  db.close()
  renameSync(part, DATABASE)
  return DATABASE
}

if (import.meta.filename === process.argv[1]) console.log(await readsDatabase())
