// Web Workers behind the pool, with a worker that follows the events of the standard; real browsers: test/packages.
import { describe, expect, test } from 'vitest'
import { webThread } from '../../src/library/prover/web-thread.js'
import { createThreadPool } from '../../src/prover/pool.js'

/** Answers twice the number it gets, after a `ready`. What it gets for a word is the word's fault. */
class DoublingWorker extends EventTarget {
  static started = 0
  isTerminated = false

  constructor(private readonly isLoadable = true) {
    super()
    DoublingWorker.started += 1
    queueMicrotask(() => (this.isLoadable ? this.say({ kind: 'ready' }) : this.dispatchEvent(new Event('error'))))
  }

  private say(data: unknown): void {
    if (!this.isTerminated) this.dispatchEvent(Object.assign(new Event('message'), { data }))
  }

  postMessage(request: number | 'crash' | 'hang' | 'garble'): void {
    if (request === 'crash')
      queueMicrotask(() => this.dispatchEvent(Object.assign(new Event('error'), { message: 'out of memory' })))
    if (request === 'garble') queueMicrotask(() => this.dispatchEvent(new Event('messageerror')))
    if (typeof request === 'number') queueMicrotask(() => this.say({ kind: 'answer', value: 2 * request }))
  }

  terminate(): void {
    this.isTerminated = true
  }
}

const workers: DoublingWorker[] = []
function pool(isLoadable = true, deadlineMs = 1000) {
  workers.length = 0
  const start = () => {
    const worker = new DoublingWorker(isLoadable)
    workers.push(worker)
    return webThread(worker as unknown as Worker)
  }
  return createThreadPool<number | string, number>({ start, threads: 1, deadlineMs, queueLimit: 4 })
}

describe('a Web Worker', () => {
  test('answers, one request after the other', async () => {
    const doubling = pool()
    expect(await Promise.all([doubling.run(1), doubling.run(2), doubling.run(3)])).toEqual([2, 4, 6])
    await doubling.close()
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true])
  })

  test.each([
    ['crash', 'WORKER_DIED', 'out of memory'],
    ['garble', 'WORKER_DIED', 'could not be read'],
    ['hang', 'WORKER_STUCK', '50 ms'],
  ])('that meets %s is ended and replaced', async (word, code, text) => {
    const doubling = pool(true, 50)
    const failed = await doubling.run(word).catch((error) => error)
    expect([failed.code, failed.message]).toEqual([code, expect.stringContaining(text)])
    expect(await doubling.run(4)).toBe(8)
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false])
    await doubling.close()
  })

  test('that is busy when the pool closes keeps no request waiting', async () => {
    const doubling = pool(true, 60_000)
    const waiting = doubling.run('hang').catch((error) => error)
    await doubling.ready
    const begun = performance.now()
    await doubling.close()
    expect((await waiting).code).toBe('WORKERS_CLOSED')
    expect(performance.now() - begun).toBeLessThan(1000)
  })

  test('whose script cannot be loaded rejects every request, and is tried again for the next', async () => {
    const doubling = pool(false)
    await expect(doubling.ready).rejects.toMatchObject({ code: 'WORKER_DIED' })
    await expect(doubling.run(1)).rejects.toThrow('could not be loaded')
    await doubling.close()
  })
})
