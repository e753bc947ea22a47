// Events that are replaced as soon as they are staged: hardly any of them is to be indexed, but the slabs with their texts are to be given back.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAppend } from '../../../src/storage/events/write/append.js'
import { createEventWriter } from '../../../src/storage/events/write/writer.js'
import { recover } from '../../../src/storage/events/write/writer-state.js'
import { createPrivateFile } from '../../../src/storage/sqlite/files.js'
import { EVENTS_FILE } from '../../../src/storage/sqlite/kinds.js'
import { migrate } from '../../../src/storage/sqlite/migrate.js'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.js'
import { aDeletion, aText, NOW } from '../../support/event-builders.js'
import { temporaryFolder } from '../../support/temporary-store.js'

const BYTES = 100_000
const SIZES = { staged: 1000, tombstones: 1000, slice: 256, maxSlice: 4096, bytes: BYTES }

/** A store without its upkeep, which indexes whatever is left as soon as nothing comes for a while. */
function openWritten() {
  const { folder, remove } = temporaryFolder()
  const path = join(folder, 'relay.db')
  createPrivateFile(path)
  const db = openSqlite(path, 'events')
  onTestFinished(() => {
    db.close()
    remove()
  })
  migrate(db, EVENTS_FILE)
  const state = recover(db)
  const writer = createEventWriter({ db, state, sizes: SIZES, wrote: () => {} })
  const rules = { giftWrapRecipientDelete: false }
  return { state, append: createAppend({ db, state, writer, rules, now: () => NOW }) }
}

const version = (n: number) => aText({ kind: 0, created_at: NOW + n, content: `${n}`.padEnd(2000, 'x') })

test('an author who replaces one event without end does not fill the memory with what was replaced', () => {
  const { state, append } = openWritten()
  let most = 0
  for (let n = 0; n < 500; n++) {
    append([version(n)])
    most = Math.max(most, state.stage.bytes)
  }
  expect(state.stage.size).toBeLessThan(10)
  expect(most).toBeLessThan(2.5 * BYTES)
})

test('nor does an author who deletes every own event', () => {
  const { state, append } = openWritten()
  let most = 0
  for (let n = 0; n < 250; n++) {
    const one = aText({ created_at: NOW + n, content: `${n}`.padEnd(4000, 'x') })
    append([one])
    append([aDeletion({ created_at: NOW + n, tags: [['e', one.event.id]] })])
    most = Math.max(most, state.stage.bytes)
  }
  expect(most).toBeLessThan(2.5 * BYTES)
})
