import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import { startWorker } from '../../src/lib/start-worker.js'
import { type NostrEvent, signWith } from '../../src/nostr/event/index.js'
import { signatureCheck } from '../../src/nostr/keys/index.js'
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

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const verifier of opened.splice(0)) await verifier.close()
})

function verifierOf(options: VerifierOptions) {
  const verifier = openVerifier(options)
  opened.push(verifier)
  return verifier
}

const startThread = () => startWorker(import.meta.resolve('../../src/workers/verifier.ts'), 'signature')

/** A verifier whose threads are there: otherwise the main thread would have checked everything before. */
async function readyVerifier(threads: number) {
  const ready: Promise<unknown>[] = []
  const portions = Array.from({ length: threads }, () => 0)
  const checks: unknown[] = []
  const start = () => {
    const index = ready.length
    const worker = startThread()
    worker.on('message', (word) => {
      if (word === 'checked') portions[index] = (portions[index] ?? 0) + 1
    })
    ready.push(once(worker, 'message'))
    return worker
  }
  const verifier = openVerifier({ threads, start, onReady: (check) => checks.push(check) })
  await Promise.all(ready)
  return { verifier, portions, checks }
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
  let portions: readonly number[]
  let checks: readonly unknown[]
  beforeAll(async () => {
    ;({ verifier, portions, checks } = await readyVerifier(threads))
  })
  afterAll(() => verifier.close())

  test('each thread reports how it checks', () => {
    expect(checks).toEqual(Array(threads).fill(signatureCheck()))
  })

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

  test('threads share what does not fit into one ring, and the answers stay in order', async () => {
    const length = threads === 0 ? 50 : RING_SLOTS + 100
    const before = [...portions]
    expect(await answersOf(verifier, firstOf(length, mixed))).toEqual(right(length))
    expect(portions.every((count, thread) => count > (before[thread] ?? 0))).toBe(true)
  })

  test('closing answers what waits, and what comes later too', async () => {
    const early = answersOf(verifier, firstOf(300, mixed))
    await Promise.all([verifier.close(), verifier.close()])
    expect(await early).toEqual(right(300))
    expect(await answersOf(verifier, firstOf(5, mixed))).toEqual(right(5))
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

test('a thread that dies is replaced, and its work is done', async () => {
  let starts = 0
  const start = () => {
    starts++
    return startWorker(import.meta.url, 'mortal')
  }
  const verifier = verifierOf({ threads: 1, start })
  for (; starts < 3; await pause(50)) expect(await answersOf(verifier, firstOf(20, mixed))).toEqual(right(20))
})

test('a thread that never starts is not missed', async () => {
  const verifier = verifierOf({ threads: 1, start: () => startWorker(import.meta.url, 'absent') })
  expect(await answersOf(verifier, firstOf(100, mixed))).toEqual(right(100))
})

test('threads that are closed while they load, or soon after, end by themselves', async () => {
  const exits = [0, 30, 120, 400].map(async (ms) => {
    const ends: Promise<unknown>[] = []
    const start = () => {
      const worker = startThread()
      ends.push(once(worker, 'exit'))
      return worker
    }
    const verifier = openVerifier({ threads: 1, start })
    void answersOf(verifier, firstOf(300, mixed))
    await pause(ms)
    await verifier.close()
    return await Promise.all(ends)
  })
  expect(await Promise.all(exits)).toEqual(exits.map(() => [[0]])) // 1 would say that it was ended by force
})
