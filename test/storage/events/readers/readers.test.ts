// Reader threads that die, hang or fail, full pools, and answers that were not taken.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { startWorker } from '../../../../src/lib/start-worker.js'
import type { Filter } from '../../../../src/nostr/filter/index.js'
import type { StoredQuery } from '../../../../src/relay/index.js'
import type { Range } from '../../../../src/storage/events/query/disk.js'
import { planFor, type QueryPlan } from '../../../../src/storage/events/query/plan.js'
import type { ToReader } from '../../../../src/storage/events/readers/questions.js'
import {
  createReaderPool,
  type ReaderOptions,
  type ReaderPool,
} from '../../../../src/storage/events/readers/readers.js'
import { aText, keyOf, NOW } from '../../../support/event-builders.js'
import { TINY, temporaryEvents } from '../../../support/event-store.js'
import { temporaryFolder } from '../../../support/temporary-store.js'
import { readAll, untilReady } from './read-all.js'

const AUTHORS = Array.from({ length: 100 }, (_, at) => keyOf(at))
const READERS = new URL('../../../../src/storage/events/readers/readers.ts', import.meta.url).href
const genuine = (path: string): Worker => startWorker(READERS, 'reader', path)
const script = (onMessage: string): Worker =>
  new Worker(
    `const { parentPort } = require('node:worker_threads')
     parentPort.on('message', (message) => { if (message.kind === 'close') process.exit(0); ${onMessage} })
     parentPort.postMessage({ kind: 'ready' })`,
    { eval: true },
  )
const HANGS = ''
const DIES = 'process.exit(1)'
const FAILS = `parentPort.postMessage({ kind: 'failed' })`
const IDLES = 'for (;;);'

/** A store with a hundred notes, and the threads that `scripts` name in the order of their start; the genuine one stands at the end. */
async function aStore(scripts: readonly string[], options: Partial<ReaderOptions> = {}) {
  const files = temporaryEvents()
  const left = [...scripts]
  const started: string[] = []
  const start = (): Worker => {
    const next = left.shift()
    started.push(next ?? 'genuine')
    return next === undefined ? genuine(files.path) : script(next)
  }
  const readers = { threads: 1, leastEvents: 0, deadlineMs: 1000, pauseMs: 1, start, ...options }
  const texts = AUTHORS.map((pubkey, at) => aText({ created_at: NOW + at, pubkey }))
  const filling = await files.open({ sizes: TINY })
  filling.append(texts)
  // Closing moves all events into the tables.
  await filling.close()
  const store = await files.open({ sizes: TINY, readers })
  return { store, started, ids: texts.map(({ event }) => event.id).reverse() }
}

/** The notes of a hundred authors: many ranges. */
const NEWEST: readonly Filter[] = [{ kinds: [1], authors: AUTHORS, tags: [], limit: 500 }]

test('a reader answers once it runs', async () => {
  const { store, ids } = await aStore([])
  await untilReady(store, NEWEST)
  const query = store.find(NEWEST)
  expect(query.waiting?.next()).toHaveProperty('whenReady')
  expect(await readAll(query)).toEqual(ids)
  expect(store.readers()).toMatchObject({ waiting: 0, replaced: 0 })
  expect(store.readers().answered).toBeGreaterThan(0)
})

test('a reader that dies, hangs or never returns is replaced, and its question answered', async () => {
  // At the same time, because most of it is waiting for the deadline and for new threads.
  const rounds = [DIES, HANGS, IDLES].map(async (what) => {
    const { store, started, ids } = await aStore([what], { deadlineMs: 600 })
    await untilReady(store, NEWEST)
    expect(await readAll(store.find(NEWEST))).toEqual(ids)
    expect(store.readers()).toMatchObject({ waiting: 0, replaced: 1 })
    await untilReady(store, NEWEST)
    expect(await readAll(store.find(NEWEST))).toEqual(ids)
    expect(started).toEqual([what, 'genuine'])
  })
  await Promise.all(rounds)
})

test('the question of a reader that died goes to another one', async () => {
  const { store, ids } = await aStore([DIES], { threads: 2, pauseMs: 60_000 })
  await untilReady(store, NEWEST)
  // The first one is busy with this question; a second one starts for the next.
  const first = store.find(NEWEST)
  first.waiting?.next()
  expect(await readAll(first)).toEqual(ids)
  expect(store.readers().replaced).toBe(1)
})

test('a hung reader ends after its statement, never by force: inside of the database library that would abort the process', async () => {
  const SLOW = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)'
  const workers: Worker[] = []
  const codes: number[] = []
  const start = (): Worker => {
    const one = script(SLOW)
    one.once('exit', (code) => codes.push(code))
    workers.push(one)
    return one
  }
  const { store, ids } = await aStore([], { start, deadlineMs: 100 })
  const ask = async () => {
    await untilReady(store, NEWEST)
    expect(await readAll(store.find(NEWEST))).toEqual(ids)
  }
  await ask()
  await ask()
  await pause(50)
  // Two of them hang: a third one waits for the end of one.
  expect(store.find(NEWEST).waiting?.next()).toHaveProperty('ends')
  expect([workers.length, codes.length]).toEqual([2, 0])
  while (codes.length === 0) await pause(10)
  await untilReady(store, NEWEST)
  expect(workers).toHaveLength(3)
  while (codes.length < 2) await pause(10)
  expect(codes).toEqual([0, 0])
})

test('after a failure of the reader the main thread answers', async () => {
  const { store, ids } = await aStore([FAILS])
  await untilReady(store, NEWEST)
  expect(await readAll(store.find(NEWEST))).toEqual(ids)
  expect(store.readers()).toMatchObject({ answered: 0, replaced: 0 })
})

test('a reader whose statement was refused ends: its later answers would be of an old snapshot', async () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const path = join(folder, 'empty.db')
  writeFileSync(path, '')
  const worker = genuine(path)
  const said: string[] = []
  worker.on('message', ({ kind }: { kind: string }) => said.push(kind))
  const ended = once(worker, 'exit')
  const plan = planFor({ kinds: [1], tags: [] }) as QueryPlan
  const range: Range = { plan, kinds: plan.kinds, newest: plan.newest, oldest: plan.oldest, count: 10, indexed: 0 }
  for (let asked = 0; asked < 2; asked++)
    worker.postMessage({ kind: 'ask', question: { kind: 'places', range, cut: 0 } } satisfies ToReader)
  expect(await ended).toEqual([0])
  expect(said).toEqual(['ready', 'failed'])
})

test('a reader that only fails is not started again before a pause', async () => {
  const FAILS_AND_ENDS = `parentPort.postMessage({ kind: 'failed' }); parentPort.close()`
  const { store, started, ids } = await aStore([FAILS_AND_ENDS, FAILS_AND_ENDS], { pauseMs: 60_000 })
  await untilReady(store, NEWEST)
  for (let round = 0; round < 3; round++) {
    expect(await readAll(store.find(NEWEST))).toEqual(ids)
    await pause(50)
  }
  expect(started).toHaveLength(1)
})

test('a full pool, and one that starts, refuse: the main thread answers at once', async () => {
  const { store, ids } = await aStore([HANGS], { deadlineMs: 60_000 })
  expect(store.find(NEWEST).waiting?.next()).toHaveProperty('ends')
  await untilReady(store, NEWEST)
  const queries: StoredQuery[] = Array.from({ length: 100 }, () => store.find(NEWEST))
  const waiting = queries.filter((query) => 'whenReady' in (query.waiting?.next() ?? {}))
  expect(waiting.length).toBeGreaterThan(0)
  expect(store.readers().waiting).toBe(8)
  expect(await readAll(store.find(NEWEST))).toEqual(ids)
  for (const query of queries) query.waiting?.drop()
  void store.close()
})

test('no threads: queries never wait', async () => {
  const { store } = await aStore([], { threads: 0 })
  expect(store.find(NEWEST).waiting).toBeUndefined()
  expect(store.readers()).toEqual({ answered: 0, waiting: 0, replaced: 0 })
})

test('a small database is read by the main thread', async () => {
  const { store } = await aStore([], { leastEvents: 101 })
  expect(store.find(NEWEST).waiting).toBeUndefined()
})

test('answers count as held until they are taken or dropped', async () => {
  const { store } = await aStore([])
  await untilReady(store, NEWEST)
  const query = store.find(NEWEST)
  const wait = query.waiting?.next()
  if (!wait || !('whenReady' in wait)) throw new Error('no wait')
  await new Promise<void>((resolve) => wait.whenReady(() => resolve()))
  expect(query.waiting?.heldBytes()).toBeGreaterThan(1000)
  query.waiting?.drop()
  expect(query.waiting?.heldBytes()).toBe(0)
})

test('a reader that answers nothing is not started again before a pause', async () => {
  const { store, started, ids } = await aStore([DIES, DIES, DIES], { pauseMs: 60_000 })
  await untilReady(store, NEWEST)
  for (let round = 0; round < 3; round++) expect(await readAll(store.find(NEWEST))).toEqual(ids)
  expect(started).toHaveLength(1)
})

test('while too many answers wait to be taken nothing more is asked', async () => {
  const BIG = `parentPort.postMessage({ kind: 'texts', page: { bytes: new Uint8Array(20 * 2 ** 20), rows: 0, last: 0 } })`
  const pool = createReaderPool('unused', { threads: 1, start: () => script(BIG) }) as ReaderPool
  onTestFinished(() => pool.close())
  const plan = { by: 'kind', first: [], kinds: [1], newest: 1, oldest: 0, exact: true } as const
  const range: Range = { plan, kinds: [1], newest: 1, oldest: 0, count: 65, indexed: 1 }
  const ask = () => pool.texts({ range, now: NOW })
  let one = ask()
  while (!one) {
    await pause(1)
    one = ask()
  }
  const two = ask()
  while (!one.isOver || !two?.isOver) await pause(1)
  expect(ask()).toBeUndefined()
  one.take()
  expect(ask()).toBeDefined()
})
