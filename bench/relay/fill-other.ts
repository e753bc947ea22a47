// node --import tsx bench/relay/fill-other.ts SET FOLDER: a database of nostr-rs-relay that holds a set. Its own loader writes tags of an
// older schema, and through its socket a million events take half an hour; so its tables are filled here, row by row as it would, and
// its indexes are made afterwards.
import { join } from 'node:path'
import Database from 'libsql'
import { linesOf, replacedIn } from './data/latest.js'
import { fileOf, type SetName } from './data/sets.js'
import { OTHER_DATABASE, startOther } from './relays/other.js'

const AT_ONCE = 20_000
const INDEXES = `SELECT name, sql FROM sqlite_master WHERE type='index' AND sql IS NOT NULL AND tbl_name IN ('event','tag')`

const [set, folder] = process.argv.slice(2) as [SetName, string]
const path = fileOf(set)
const first = await startOther(folder) // makes the tables
await first.stop()

const db = new Database(join(folder, OTHER_DATABASE))
db.exec('PRAGMA synchronous=OFF; PRAGMA cache_size=-262144')
const indexes = db.prepare(INDEXES).all() as { name: string; sql: string }[]
for (const { name } of indexes) db.exec(`DROP INDEX ${name}`)

const addEvent = db.prepare(
  'INSERT INTO event (event_hash, created_at, kind, author, content, first_seen, hidden) VALUES (?, ?, ?, ?, ?, ?, 0)',
)
const addTag = db.prepare('INSERT INTO tag (event_id, name, value, kind, created_at) VALUES (?, ?, ?, ?, ?)')
const now = Math.floor(Date.now() / 1000)
const replaced = await replacedIn(path)

let events = 0
db.exec('BEGIN')
for await (const { text, event } of linesOf(path)) {
  if (replaced.has(event.id)) continue
  const { created_at, kind } = event
  const [id, author] = [Buffer.from(event.id, 'hex'), Buffer.from(event.pubkey, 'hex')]
  const { lastInsertRowid } = addEvent.run(id, created_at, kind, author, text, now)
  for (const [name = '', value] of event.tags)
    if (name.length === 1 && value !== undefined) addTag.run(lastInsertRowid, name, value, kind, created_at)
  if (++events % AT_ONCE === 0) db.exec('COMMIT; BEGIN')
}
db.exec('COMMIT')
for (const { sql } of indexes) db.exec(sql)
db.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
db.close()
console.log(`${events} events in ${folder}`)
