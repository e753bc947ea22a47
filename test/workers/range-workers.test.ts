import { afterAll, describe, expect, test } from 'vitest'
import { commit, proveRange, type RangeProofInput } from '../../src/grin/crypto/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'

const input: RangeProofInput = {
  value: 60_000_000_000n,
  blind: 12345n,
  rewindNonce: new Uint8Array(32).fill(1),
  privateNonce: new Uint8Array(32).fill(2),
  message: new Uint8Array(20).fill(3),
}
const commitment = commit(input.value, input.blind)
const proof = proveRange(input)

describe.each([
  ['in a thread', createRangeWorkers({ threads: 1 })],
  ['in-process', createRangeWorkers({ inline: true })],
])('range proofs %s', (_, workers) => {
  afterAll(() => workers.close())

  test('are the same bytes', async () => {
    await workers.ready
    expect(await workers.prove(input)).toEqual(proof)
  })

  test('are checked', async () => {
    expect(await workers.verify(commitment, proof)).toBe(true)
    expect(await workers.verify(commit(1n, 1n), proof)).toBe(false)
  })

  test('are refused with the prover’s own words', async () => {
    await expect(workers.prove({ ...input, blind: 0n })).rejects.toMatchObject({ code: 'BAD_SECRET_KEY' })
  })
})
