// The sieve of a wallet scan against the whole computation: it may let a foreign output through, and never holds an own one back.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSieve } from '../../../src/grin/crypto/index.js'
import { openKeychain, outputIdentifier } from '../../../src/grin/keychain/index.js'
import { prove, walletOf } from '../../support/grin.js'
import { bytes, codeOf, vectors } from '../../support/vectors.js'

const { wallets } = vectors('real/wallets.json')
type Real = { commit: string; proof: string }
const outputsOf = (name: string): Real[] => vectors(`real/wallet-state/${name}-output-proofs.json`)
const keychains = { miner: walletOf(wallets.miner.mnemonic), bob: walletOf(wallets.bob.mnemonic) }

describe.each(['miner', 'bob'] as const)('outputs that grin-wallet made for %s', (name) => {
  const sieve = createSieve(bytes(wallets[name].rewind_hash))
  test('stay in the own sieve', () => {
    expect(outputsOf(name).length).toBeGreaterThan(5)
    for (const { commit, proof } of outputsOf(name)) expect(sieve(bytes(commit), bytes(proof))).toBe(true)
  })
  test('fall through the other one', () => {
    const other = createSieve(keychains[name === 'miner' ? 'bob' : 'miner'].rewindHash)
    for (const { commit, proof } of outputsOf(name)) expect(other(bytes(commit), bytes(proof))).toBe(false)
  })
})

test('every output that rewinds is in the sieve', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.nat(2 ** 31 - 1),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      async (seed, index, value) => {
        const keychain = openKeychain(seed)
        const { commitment, ...input } = keychain.proofInput(outputIdentifier(3, index), value)
        const proof = await prove(input)
        expect(keychain.rewindOutput(commitment, proof)?.value).toBe(value)
        const sieve = createSieve(keychain.rewindHash)
        expect(sieve(commitment, proof)).toBe(true)
        expect(sieve(commitment, proof.subarray(0, 193))).toBe(true)
      },
    ),
    { numRuns: 25 },
  )
})

// Below byte 65 a change may keep the hidden number small: the commitment then decides.
test('damaged proofs: whatever still rewinds is in the sieve', () => {
  const sieve = createSieve(keychains.bob.rewindHash)
  const outputs = outputsOf('bob').map(({ commit, proof }) => [bytes(commit), bytes(proof)] as const)
  fc.assert(
    fc.property(fc.nat(outputs.length - 1), fc.nat(674), fc.nat(7), (which, at, bit) => {
      const [commitment, proof] = outputs[which]!
      const damaged = proof.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte))
      if (keychains.bob.rewindOutput(commitment, damaged)) expect(sieve(commitment, damaged)).toBe(true)
      else if (at >= 65 && at < 193) expect(sieve(commitment, damaged)).toBe(false)
    }),
    { numRuns: 400 },
  )
})

test('wrong lengths', async () => {
  expect(await codeOf(() => createSieve(new Uint8Array(31)))).toBe('BAD_LENGTH')
  const sieve = createSieve(keychains.bob.rewindHash)
  const [{ commit, proof }] = outputsOf('bob') as [Real]
  expect(sieve(bytes(commit).subarray(1), bytes(proof))).toBe(false)
  expect(sieve(bytes(commit), bytes(proof).subarray(0, 192))).toBe(false)
})
