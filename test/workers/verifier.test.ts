import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import { startWorker } from '../../src/lib/start-worker.js'
import { type NostrEvent, signWith } from '../../src/nostr/event/index.js'
import {
  openVerifier,
  type SignatureVerifier,
  signatureThreadCount,
  type VerifierOptions,
} from '../../src/workers/index.js'
import { RING_SLOTS } from '../../src/workers/signature-ring.js'

const secret = new Secret(new Uint8Array(32).fill(7))
const genuine = Array.from({ length: 8 }, (_, i) =>
  signWith(new Uint8Array(32), { created_at: i, kind: 1, tags: [], content: '' }, secret),
)
const eventAt = (i: number): NostrEvent => genuine[i % genuine.length] as NostrEvent
/** Every third one carries the signature of another event. */
const mixed = (i: number): NostrEvent => (i % 3 === 0 ? { ...eventAt(i), sig: eventAt(i + 1).sig } : eventAt(i))

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const verifier of open.splice(0)) await verifier.close()
})

function verifierOf(options: VerifierOptions) {
  const verifier = openVerifier(options)
  open.push(verifier)
  return verifier
}

/** A verifier whose threads are there: otherwise the main thread would have checked everything before. */
async function readyVerifier(threads: number) {
  const ready: Promise<unknown>[] = []
  const start = () => {
    const worker = startWorker(import.meta.resolve('../../src/workers/verifier.ts'), 'signature')
    ready.push(once(worker, 'message'))
    return worker
  }
  const verifier = openVerifier({ threads, start })
  await Promise.all(ready)
  return verifier
}

/** Submits them all at once; the indexes in the order of the answers, each with its verdict. */
function answersOf(verifier: ReturnType<typeof openVerifier>, events: readonly NostrEvent[]) {
  return new Promise<(readonly [number, boolean])[]>((resolve) => {
    const answers: (readonly [number, boolean])[] = []
    for (const [i, event] of events.entries())
      verifier.submit(event, (verdict) => {
        answers.push([i, verdict])
        if (answers.length === events.length) resolve(answers)
      })
  })
}

const firstOf = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i))
const right = (length: number) => firstOf(length, (i) => [i, i % 3 !== 0] as const)

describe.each([0, 1, 2])('with %i threads', (threads) => {
  let verifier: SignatureVerifier
  beforeAll(async () => {
    verifier = await readyVerifier(threads)
  })
  afterAll(() => verifier.close())

  test('every verdict is right and the answers come in order, however many are submitted at once', async () => {
    for (const length of [1, 2, 3, 50, 200])
      expect(await answersOf(verifier, firstOf(length, mixed))).toEqual(right(length))
  })

  test('what is submitted by an answer is answered after what came before', async () => {
    const order: number[] = []
    await new Promise<void>((resolve) => {
      const follow = (i: number): void =>
        verifier.submit(eventAt(i), () => {
          order.push(i)
          if (i < 100) follow(i + 100)
          if (order.length === 200) resolve()
        })
      for (let i = 0; i < 100; i++) follow(i)
    })
    expect(order).toEqual(firstOf(200, (i) => i))
  })

  test('nothing is answered within the call', async () => {
    let answers = 0
    for (let i = 0; i < 5; i++) verifier.submit(eventAt(i), () => answers++)
    expect(answers).toBe(0)
  })

  test('text that is no hex of the right length is no signature, whatever lay in its place before', async () => {
    const events = firstOf(RING_SLOTS / 64, eventAt)
    const bad = ['', 'zz', `${eventAt(0).sig}00`, eventAt(0).sig.slice(2)].map((sig) => ({ ...eventAt(0), sig }))
    const others = [
      { ...eventAt(0), id: '' },
      { ...eventAt(0), pubkey: 'g'.repeat(64) },
    ]
    const verdicts = (await answersOf(verifier, [...events, ...bad, ...others])).map(([, verdict]) => verdict)
    expect(verdicts).toEqual([...events.map(() => true), ...bad.map(() => false), ...others.map(() => false)])
  })
})

test.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 2],
  [8, 4],
  [64, 4],
])('%i processors have %i signature threads', (processors, threads) => {
  expect(signatureThreadCount(processors)).toBe(threads)
})

test('two threads share the work, and the answers stay in order', async () => {
  const portions = [0, 0]
  const ready: Promise<unknown>[] = []
  const start = () => {
    const index = ready.length
    const worker = startWorker(import.meta.resolve('../../src/workers/verifier.ts'), 'signature')
    worker.on('message', (word) => {
      if (word === 'checked') portions[index] = (portions[index] ?? 0) + 1
    })
    ready.push(once(worker, 'message'))
    return worker
  }
  const verifier = verifierOf({ threads: 2, start })
  await Promise.all(ready)
  expect(await answersOf(verifier, firstOf(2000, mixed))).toEqual(right(2000))
  expect(Math.min(...portions)).toBeGreaterThan(0)
})

test('more than the ring holds waits its turn', async () => {
  const length = RING_SLOTS * 2 + 5
  expect(await answersOf(verifierOf({ threads: 1 }), firstOf(length, mixed))).toEqual(right(length))
})

test('a thread that dies is replaced, and its work is done', async () => {
  let starts = 0
  const start = () => {
    starts++
    return startWorker(import.meta.url, 'mortal')
  }
  const verifier = verifierOf({ threads: 1, start })
  while (starts < 4) expect(await answersOf(verifier, firstOf(50, mixed))).toEqual(right(50))
})

test('a thread that never starts is not missed', async () => {
  const verifier = verifierOf({ threads: 1, start: () => startWorker(import.meta.url, 'absent') })
  expect(await answersOf(verifier, firstOf(100, mixed))).toEqual(right(100))
})

test.each([0, 5, 20, 60, 120, 250])('a thread that is closed %i ms after its start ends by itself', async (pause) => {
  const ends: Promise<unknown>[] = []
  const start = () => {
    const worker = startWorker(import.meta.resolve('../../src/workers/verifier.ts'), 'signature')
    ends.push(once(worker, 'exit'))
    return worker
  }
  const verifier = openVerifier({ threads: 2, start })
  void answersOf(verifier, firstOf(300, mixed))
  await new Promise((resolve) => setTimeout(resolve, pause))
  await verifier.close()
  expect(await Promise.all(ends)).toEqual([[0], [0]]) // 1 would say that it was ended by force
})

test('closing answers what waits, and what comes later too', async () => {
  const verifier = await readyVerifier(2)
  const early = answersOf(verifier, firstOf(300, mixed))
  await Promise.all([verifier.close(), verifier.close()])
  expect(await early).toEqual(right(300))
  expect(await answersOf(verifier, firstOf(5, mixed))).toEqual(right(5))
})
