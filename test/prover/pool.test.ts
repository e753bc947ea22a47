import { afterEach, describe, expect, test } from 'vitest'
import { startWorker } from '../../src/lib/start-worker.js'
import { nodeThread } from '../../src/prover/node.js'
import { createThreadPool, type PoolParts } from '../../src/prover/pool.js'
import type { OddRequest } from './odd.worker.js'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const pool of open.splice(0)) await pool.close()
})

function oddPool(parts: Partial<PoolParts> = {}) {
  const start = () => nodeThread(startWorker(import.meta.url, 'odd'))
  const pool = createThreadPool<OddRequest, number>({ start, threads: 1, deadlineMs: 10_000, queueLimit: 8, ...parts })
  open.push(pool)
  return pool
}

const answer = (value: number): OddRequest => ({ do: 'answer', value })

describe('answers', () => {
  test('more requests than threads are all answered, each with its own answer', async () => {
    const pool = oddPool({ threads: 2, queueLimit: 20 })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => pool.run(answer(i))))
    expect(answers).toEqual(Array.from({ length: 20 }, (_, i) => 2 * i))
  })

  test('a refusal keeps its code, status and hint; the thread lives on', async () => {
    const pool = oddPool()
    const refusal = {
      name: 'GrinpayError',
      code: 'ODD_REFUSAL',
      status: 422,
      message: 'not today',
      hint: 'ask tomorrow',
    }
    await expect(pool.run({ do: 'refuse' })).rejects.toMatchObject(refusal)
    await expect(pool.run({ do: 'break' })).rejects.toThrow('a bug')
    expect(await pool.run(answer(4))).toBe(8)
  })
})

describe('trouble', () => {
  test('a stuck thread is replaced, and the next request is served', async () => {
    const pool = oddPool({ deadlineMs: 300 })
    await pool.ready
    await expect(pool.run({ do: 'hang' })).rejects.toMatchObject({ code: 'WORKER_STUCK' })
    expect(await pool.run(answer(1))).toBe(2)
  })

  test('a thread that does not get ready in time is reported', async () => {
    const pool = oddPool({ startMs: 1 })
    await expect(pool.ready).rejects.toMatchObject({ code: 'WORKER_STUCK' })
  })

  test('a thread that exits is replaced, and the next request is served', async () => {
    const pool = oddPool()
    await expect(pool.run({ do: 'exit' })).rejects.toMatchObject({ code: 'WORKER_DIED' })
    expect(await pool.run(answer(1))).toBe(2)
  })

  test('a thread that cannot start is reported, not retried for ever', async () => {
    let starts = 0
    const start = () => {
      starts += 1
      return nodeThread(startWorker(import.meta.url, 'missing'))
    }
    const pool = oddPool({ start })
    await expect(pool.ready).rejects.toMatchObject({ code: 'WORKER_DIED' })
    await expect(pool.run(answer(1))).rejects.toMatchObject({ code: 'WORKER_DIED' })
    await pool.close()
    expect(starts).toBeLessThanOrEqual(3)
  })

  test('a full queue refuses at once', async () => {
    const pool = oddPool({ queueLimit: 2 })
    const served = [pool.run(answer(1)), pool.run(answer(2)), pool.run(answer(3))]
    await expect(pool.run(answer(4))).rejects.toMatchObject({ code: 'WORKERS_BUSY', status: 503 })
    expect(await Promise.all(served)).toEqual([2, 4, 6])
  })
})

describe('closing', () => {
  test('what runs, waits or comes later is rejected; closing twice is fine', async () => {
    const pool = oddPool()
    await pool.ready
    const pending = [pool.run({ do: 'hang' }), pool.run(answer(1))].map((one) =>
      expect(one).rejects.toMatchObject({ code: 'WORKERS_CLOSED' }),
    )
    await pool.close()
    await Promise.all(pending)
    await expect(pool.run(answer(1))).rejects.toMatchObject({ code: 'WORKERS_CLOSED' })
    await pool.close()
  })
})
