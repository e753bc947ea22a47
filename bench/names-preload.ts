// The database of a name authority with a million holders: names, keys and the history that claiming them leaves.
import { createHash } from 'node:crypto'
import { shapeOf } from '../src/authority/index.js'
import { openNameStore } from '../src/storage/index.js'
import { openSqlite } from '../src/storage/sqlite/sqlite.js'

/** How many; GRINPAY_BENCH_NAMES sets another number for a quick look. */
export const NAMES = Number(process.env.GRINPAY_BENCH_NAMES ?? 1_000_000)

export const WITH_NAMES = NAMES === 1_000_000 ? 'a million names' : `${NAMES} names`

/** The name of holder `i`, 1 to `NAMES`; of the usual length, and neighbours lie far from each other in the index. */
export const nameOf = (i: number): string => {
  const letters = createHash('sha256').update(`holder ${i}`).digest('hex').slice(0, 3)
  return `${letters}${String(i).padStart(7, '0')}`
}

/** Makes the file. */
export async function preloadNames(path: string, now: number): Promise<void> {
  await (await openNameStore({ path, now: () => now })).close()
  const db = openSqlite(path, 'durable')
  db.script('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN')
  for (let i = 1; i <= NAMES; i++) {
    const { name, skeleton } = shapeOf(nameOf(i))
    db.run('INSERT INTO name (name, skeleton, pubkey, created_at) VALUES (?, ?, randomblob(32), ?)', [
      name,
      skeleton,
      now - i,
    ])
  }
  db.run(
    `INSERT INTO audit (seq, at, actor, action, name, pubkey)
     SELECT NULL, created_at, 'holder', 'claim', name, pubkey FROM name`,
  )
  db.script('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}
