// The pages of names in the console of a name authority that holds a million, half of them released.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../src/storage/sqlite/sqlite.js'
import { freePort } from '../test/support/till-process.js'
import { type BenchPage, benchConsole, idleStep, measurePages, watching } from './console-rounds.js'
import type { Measurement } from './measurement.js'
import { startNames } from './names-daemon.js'
import { NAMES, nameOf, preloadNames, WITH_NAMES } from './names-preload.js'

export const name = 'console-names'

/** Every name that begins with a digit below eight, as one after a sale of them: the longest run that a page of held names can meet. */
const RELEASED = "name < '8'"
const OFFERS = 20_000
const [KEY, SIGNATURE] = ['0'.repeat(64), '0'.repeat(128)]
const EVENT = JSON.stringify({ id: KEY, pubkey: KEY, created_at: 1, kind: 3402, tags: [], content: '', sig: SIGNATURE })

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
  try {
    const path = join(folder, 'names.db')
    await preloadNames(path, Date.now())
    const keys = fillStates(path)
    const [port, steps] = [await freePort(), join(folder, 'steps.json')]
    const server = await startNames(path, {
      NAMEAUTH_CONSOLE: 'on',
      NAMEAUTH_CONSOLE_BIND: `127.0.0.1:${port}`,
      NODE_OPTIONS: watching(steps),
    })
    try {
      const console = benchConsole({ pid: server.pid, port, sessions: join(folder, 'console.db'), steps })
      const about = `console beside ${WITH_NAMES}`
      const idle = await idleStep(about, console)
      return [idle, ...(await measurePages(about, pagesOf(keys), console))]
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Names in every state, reserved ones and offers. Answers some keys. */
function fillStates(path: string): readonly string[] {
  const db = openSqlite(path, 'durable')
  db.script(`BEGIN;
    UPDATE name SET released_at = created_at + 1 WHERE ${RELEASED};
    UPDATE name SET suspended_at = created_at + 1 WHERE released_at IS NULL AND substr(name, -2) = '00';
    INSERT INTO reserved (name, skeleton, reason, created_at)
      SELECT 'r' || name, 'r' || skeleton, 'a trade mark', created_at FROM name LIMIT 10000;
    INSERT INTO offer (id, name, seller, buyer, price, proof_address, expiration, status, state_changed_at, created_at, event)
      SELECT randomblob(32), name, pubkey, randomblob(32), 5000000000, 'grin1bench', created_at / 1000 + 900000,
        CASE substr(name, -1) WHEN '1' THEN 'revoked' WHEN '2' THEN 'expired' ELSE 'live' END, created_at, created_at, '${EVENT}'
      FROM name WHERE released_at IS NULL AND suspended_at IS NULL LIMIT ${OFFERS};
    COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)`)
  const keys = db
    .all('SELECT lower(hex(pubkey)) FROM name WHERE released_at IS NULL LIMIT 100')
    .map(([key]) => String(key))
  db.close()
  return keys
}

function pagesOf(keys: readonly string[]): readonly BenchPage[] {
  const names = Array.from({ length: 100 }, (_, i) => nameOf(1 + ((i * 7919 + 13) % NAMES)))
  const below = (path: string, texts: readonly string[]) => texts.map((text) => `${path}${text}`)
  return [
    { what: 'names, first page', paths: ['/names'] },
    { what: 'names, any page', paths: below('/names?cursor=', names) },
    { what: 'names, held, behind the released ones', paths: ['/names?show=held'] },
    { what: 'names, held, any page', paths: below('/names?show=held&cursor=', names) },
    { what: 'names, suspended', paths: below('/names?show=suspended&cursor=', names) },
    { what: 'names, released', paths: below('/names?show=released&cursor=', names) },
    {
      what: 'names, search by three letters',
      paths: below(
        '/names?q=',
        names.map((text) => text.slice(0, 3)),
      ),
    },
    {
      what: 'names, held, search by a letter of released ones',
      paths: ['/names?show=held&q=0', '/names?show=held&q=7'],
    },
    { what: 'names, search by a key', paths: below('/names?q=', keys) },
    { what: 'one name', paths: below('/names/', names) },
    { what: 'reserved names', paths: ['/reserved'] },
    { what: 'offers', paths: ['/offers', '/offers?show=live', '/offers?show=consumed'] },
  ]
}
