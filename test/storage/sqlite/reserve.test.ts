// The reserve of a database: who gets it back, and when. On a real disk that is full, where this user may mount one.
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { claimDatabase } from '../../../src/storage/sqlite/claim.js'
import { createPrivateFile } from '../../../src/storage/sqlite/files.js'
import { createWriteQueue } from '../../../src/storage/sqlite/group-commit.js'
import {
  giveBackReserves,
  inTransaction,
  makeRoomToOpen,
  openSqlite,
  reservedBytes,
  reservesBeside,
  writeReserve,
} from '../../../src/storage/sqlite/sqlite.js'
import { canMount, fillDisk, mountSmallDisk } from '../../faults/trouble.js'
import { temporaryFolder } from '../../support/temporary-store.js'

const BYTES = 300_000
const filling = new Uint8Array(65_536).fill(7)

function place(): string {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const path = join(folder, 'a.db')
  createPrivateFile(path)
  return path
}

test('it takes blocks of the disk, privately, and is deleted by title alone', async () => {
  const path = place()
  await writeReserve({ path, bytes: BYTES, filling })
  const { size, blocks, mode } = statSync(`${path}.reserve`)
  expect([size, blocks * 512 >= BYTES, mode & 0o777]).toEqual([BYTES, true, 0o600])
  writeFileSync(join(dirname(path), 'mine.reserve'), 'not ours')
  mkdirSync(join(dirname(path), 'folder.reserve'))
  expect([giveBackReserves(path), giveBackReserves(path)]).toEqual([true, false])
  expect(readdirSync(dirname(path)).sort()).toEqual(['a.db', 'folder.reserve', 'mine.reserve'])
})

test('one that was cut short is completed, and one that is whole is left', async () => {
  const path = place()
  await writeReserve({ path, bytes: 100_000, filling })
  await writeReserve({ path, bytes: BYTES, filling })
  await writeReserve({ path, bytes: 1000, filling })
  expect(reservedBytes(path)).toBe(BYTES)
})

test('it lies beside the file, also of a database behind a symbolic link; a database beside it finds it too', async () => {
  const path = place()
  const link = join(place(), '../link.db')
  symlinkSync(path, link)
  await writeReserve({ path: link, bytes: BYTES, filling })
  expect(reservesBeside(join(dirname(path), 'b.db'))).toEqual([`${path}.reserve`])
})

test('with room on the disk opening a database leaves it', async () => {
  const path = place()
  await writeReserve({ path, bytes: BYTES, filling })
  makeRoomToOpen(path)
  expect(reservedBytes(path)).toBe(BYTES)
})

const isPossible = canMount()

/** A database of the kind with 100 rows, closed, its reserve, and no room beside. */
async function fullDisk(kind: 'durable' | 'events' = 'durable', bytes = BYTES) {
  const disk = mountSmallDisk(4)
  onTestFinished(disk.remove)
  const path = join(disk.path, 'a.db')
  createPrivateFile(path)
  const db = openSqlite(path, kind)
  db.script('CREATE TABLE note (text BLOB NOT NULL) STRICT')
  inTransaction(db, () => db.script('INSERT INTO note SELECT zeroblob(5000) FROM generate_series(1, 100)'))
  db.script('PRAGMA wal_checkpoint(TRUNCATE)')
  await writeReserve({ path, bytes, filling })
  const fill = () => fillDisk(join(disk.path, 'ballast'))
  return { db, path, fill }
}

const opened = (path: string) => {
  const db = openSqlite(path, 'durable')
  onTestFinished(() => db.close())
  return db
}

test.runIf(isPossible)('a write on a full disk gets it back and is made, once', async () => {
  const { db, path, fill } = await fullDisk()
  fill()
  let runs = 0
  inTransaction(db, () => {
    runs++
    db.script('UPDATE note SET text = zeroblob(5001) WHERE rowid = 1')
  })
  expect([runs, existsSync(`${path}.reserve`)]).toEqual([2, false])
  expect(db.all('SELECT count(*) FROM note WHERE length(text) = 5001')).toEqual([[1n]])
  db.close()
})

test.runIf(isPossible)('so does a group of verbs, each of which resolves once with its own answer', async () => {
  const { db, path, fill } = await fullDisk()
  fill()
  const { write, close } = createWriteQueue(db)
  const insert = (length: number) => () => {
    db.run('INSERT INTO note VALUES (zeroblob(?))', [length])
    return length
  }
  const refusal = () => {
    throw new Error('no')
  }
  const answers = await Promise.allSettled([write(insert(1)), write(refusal), write(insert(2))])
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.message))).toEqual([
    1,
    'no',
    2,
  ])
  expect(db.all('SELECT length(text) FROM note WHERE length(text) < 3 ORDER BY 1')).toEqual([[1n], [2n]])
  expect(existsSync(`${path}.reserve`)).toBe(false)
  close()
  db.close()
})

test.runIf(isPossible)('after it the log is merged for more room: deletions of any size end', async () => {
  const { db, fill } = await fullDisk('events', 100_000)
  fill()
  for (let row = 1; row <= 100; row++) inTransaction(db, () => db.run('DELETE FROM note WHERE rowid = ?', [row]))
  expect(db.all('SELECT count(*) FROM note')).toEqual([[0]])
  db.close()
})

test.runIf(isPossible)('without one a write on a full disk fails, and leaves nothing', async () => {
  const { db, path, fill } = await fullDisk()
  giveBackReserves(path)
  fill()
  const tooMuch = () => db.script('INSERT INTO note SELECT zeroblob(5000) FROM generate_series(1, 200)')
  expect(() => inTransaction(db, tooMuch)).toThrow('database or disk is full')
  expect([db.inTransaction, db.all('SELECT count(*) FROM note')]).toEqual([false, [[100n]]])
  db.close()
})

test.runIf(isPossible)(
  'opening one for writing, claiming one, and reading one that nobody has open get it back',
  async () => {
    for (const work of [
      (path: string) => opened(path).script('UPDATE note SET text = zeroblob(5001) WHERE rowid = 1'),
      (path: string) => claimDatabase(path, 1).release(),
      (path: string) => {
        const db = openSqlite(path, 'reading')
        onTestFinished(() => db.close())
        db.all('SELECT count(*) FROM note')
      },
    ]) {
      const { db, path, fill } = await fullDisk()
      db.close()
      fill()
      work(path)
      expect(existsSync(`${path}.reserve`), String(work)).toBe(false)
    }
  },
)

test.runIf(isPossible)('looking at one that a daemon has open leaves it', async () => {
  const { db, path, fill } = await fullDisk()
  fill()
  openSqlite(path, 'reading').close()
  expect(existsSync(`${path}.reserve`)).toBe(true)
  db.close()
})
