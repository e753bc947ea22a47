// The prover of the package in threads of Node; the pool behind it: test/prover/pool.test.ts.
import { afterEach, expect, test } from 'vitest'
import { commit } from '../../src/grin/crypto/index.js'
import { localProver } from '../../src/library/local-prover.js'
import { createProver, type ProverOptions, type WorkerProver } from '../../src/library/prover/node.js'

const open: WorkerProver[] = []
afterEach(async () => {
  for (const prover of open.splice(0)) await prover.close()
})

function start(options: ProverOptions = {}): WorkerProver {
  const prover = createProver({ threads: 1, ...options })
  open.push(prover)
  return prover
}

const input = {
  value: 60_000_000_000n,
  blind: 7n,
  rewindNonce: new Uint8Array(32).fill(3),
  message: new Uint8Array(20),
}
const commitment = commit(input.value, input.blind)

test('a thread makes the same proof as the calling thread, and both verify it', async () => {
  const prover = start()
  const proof = await prover.prove(input)
  expect(proof).toEqual(await localProver.prove(input))
  expect([await prover.verify(commitment, proof), await localProver.verify(commitment, proof)]).toEqual([true, true])
  const other = commit(input.value, 8n)
  expect([await prover.verify(other, proof), await localProver.verify(other, proof)]).toEqual([false, false])
})

test("a refusal is the library's own error, and the thread serves on", async () => {
  const prover = start()
  await expect(prover.prove({ ...input, value: -1n })).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
  expect((await prover.prove(input)).length).toBe(675)
})

test('a proof that takes too long is rejected; the thread is replaced', async () => {
  const prover = start({ deadlineMs: 1 })
  await prover.ready
  await expect(prover.prove(input)).rejects.toMatchObject({ code: 'WORKER_STUCK' })
})

test('one request more than may wait is refused at once', async () => {
  const prover = start({ queueLimit: 1 })
  const served = [prover.prove(input), prover.prove(input)]
  await expect(prover.prove(input)).rejects.toMatchObject({ code: 'WORKERS_BUSY' })
  expect((await Promise.all(served)).map(({ length }) => length)).toEqual([675, 675])
})

test('an aborted signal closes it, before or after the start', async () => {
  const ended = AbortSignal.abort()
  await expect(start({ signal: ended }).prove(input)).rejects.toMatchObject({ code: 'WORKERS_CLOSED' })
  const controller = new AbortController()
  const prover = start({ signal: controller.signal })
  const running = expect(prover.prove(input)).rejects.toMatchObject({ code: 'WORKERS_CLOSED' })
  controller.abort()
  await running
  await expect(prover.verify(commitment, new Uint8Array(675))).rejects.toMatchObject({ code: 'WORKERS_CLOSED' })
})
