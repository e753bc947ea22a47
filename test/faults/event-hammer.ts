// Child process of the crash rounds of the event store: batches of every kind of event, each acknowledged one printed as a line after `append`
// returned, and those for which the disk had no room. It never ends by itself: the parent kills it.
import { writeSync } from 'node:fs'
import { hasCode } from '../../src/lib/errors.js'
import { openEventStore } from '../../src/storage/index.js'
import { aDeletion, aText, aWrap, keyOf } from '../support/event-builders.js'

const [, , path, seed = '0'] = process.argv
if (path === undefined) throw new Error('usage: event-hammer PATH SEED')
/** Small, so that every step of indexing is met by a kill. */
const sizes = { staged: 200, tombstones: 50, slice: 30, maxSlice: 200 }
const search = { searchKinds: [0, 1], searchSizes: { slice: 20, due: 10, few: 0 } }
const store = await openEventStore({ path, clock: { now: () => Date.now() }, sizes, ...search })
const still = new Int32Array(new SharedArrayBuffer(4))
const START = 1_750_000_000 + Number(seed) * 1_000_000

/** Straight into the pipe: what was written before SIGKILL reaches the parent. Waits while the pipe is full. */
function say(line: string): void {
  let rest: Uint8Array = Buffer.from(`${line}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (!hasCode(error, 'EAGAIN')) throw error
      Atomics.wait(still, 0, 0, 1)
    }
  }
}

const batchOf = (round: number) => {
  const created_at = START + round
  const notes = Array.from({ length: 8 }, (_, i) =>
    aText({ created_at, content: `${i}`, tags: [['t', `${round % 9}`]] }),
  )
  const wraps = Array.from({ length: 4 }, (_, i) => aWrap({ created_at, content: `${i}`, pubkey: keyOf(1000 + i) }))
  const profiles = [1, 2].map((n) => aText({ kind: 0, created_at, pubkey: keyOf(n) }))
  const [doomed] = notes
  const deletion = aDeletion({ created_at, tags: [['e', doomed?.event.id ?? '']] })
  return { doomed, batch: [...notes, ...wraps, ...profiles, deletion] }
}

say('ready')
for (let round = 0; ; round++) {
  const { doomed, batch } = batchOf(round)
  try {
    const kept = store.append(batch)
    const stays = batch.filter((text, i) => kept[i] === 'stored' && text !== doomed && text.event.kind !== 0)
    say(JSON.stringify({ stays: stays.map(({ event }) => event.id), gone: doomed?.event.id, profileAt: START + round }))
  } catch (error) {
    if (!hasCode(error, 'SQLITE_FULL') && !hasCode(error, 'SQLITE_IOERR')) throw error
    say(JSON.stringify({ full: batch.map(({ event }) => event.id) }))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  if (round % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
}
