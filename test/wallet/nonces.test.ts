// A machine that is resumed twice from one snapshot has the same rows, random bytes and clock, and may then be asked for other things.
// Two signatures with one nonce give the key away.
import { beforeAll, describe, expect, test } from 'vitest'
import { challengeOf } from '../../src/grin/crypto/aggsig.js'
import { compressedPublicKey, type Scalar } from '../../src/grin/crypto/index.js'
import { modN, N, toInteger } from '../../src/grin/crypto/scalar.js'
import { openKeychain } from '../../src/grin/keychain/index.js'
import type { Slate } from '../../src/grin/slate/index.js'
import { addressOfSeed, formatAddress } from '../../src/grin/slatepack/index.js'
import { openSigningSession } from '../../src/grin/tx/index.js'
import { toHex } from '../../src/lib/bytes.js'
import { createMemoryStorage, openWallet, type StoredRecord, type Wallet } from '../../src/wallet/index.js'
import { createDirectChain } from './direct-chain.js'
import { GRIN, walletFor } from './fixture.js'

const near = { minConfirmations: 1 }
const keychain = openKeychain(new Uint8Array(32).fill(1))
const addressOf = (seed: number): string =>
  formatAddress('tgrin', addressOfSeed(openKeychain(new Uint8Array(32).fill(seed)).addressSeed(0, 0)))

/** The rows of a wallet with three coins. */
let snapshot: readonly StoredRecord[]
beforeAll(async () => {
  const chain = createDirectChain()
  const { wallet, storage } = await walletFor(keychain)
  for (const index of [0, 1, 2]) await chain.mineTo(keychain, index, 60n * GRIN)
  chain.mine(10)
  await wallet.restore(chain)
  snapshot = (await storage.load()).records
})

/** The wallet resumed from the snapshot, with random bytes and a clock that repeat themselves. */
async function resumed(): Promise<Wallet> {
  const { prove, verify } = await import('../support/grin.js')
  const parts = { keychain, prover: { prove, verify }, now: () => 1_000, storage: createMemoryStorage(snapshot) }
  return openWallet({ ...parts, random: (length) => new Uint8Array(length).fill(0x42), chainType: 'sandbox' })
}

const ownNonce = ({ participants }: Slate): string => toHex(participants[0]?.nonce ?? new Uint8Array())
const ownExcess = ({ participants }: Slate): string => toHex(participants[0]?.excess ?? new Uint8Array())

/** The key that two signatures with one nonce reveal, as its public key. */
function extracted(i1: Slate, [first, second]: readonly [Slate, Slate]): readonly string[] {
  const signed = ({ fee, participants }: Slate) => {
    const { keySum, nonceSum, message } = openSigningSession({ ...i1, fee }, [...i1.participants, ...participants])
    const s = toInteger(participants[0]?.part?.subarray(32) ?? new Uint8Array())
    return { s, e: challengeOf(nonceSum.subarray(1), keySum, message) }
  }
  const [one, two] = [signed(first), signed(second)]
  const candidates = [one.s - two.s, one.s + two.s].map((s) => modN(s * inverse(modN(one.e - two.e))))
  return candidates.filter((key) => key !== 0n).map((key) => toHex(compressedPublicKey(key)))
}

function inverse(value: Scalar): Scalar {
  const power = (base: bigint, exponent: bigint): bigint =>
    exponent === 0n ? 1n : modN(power(modN(base * base), exponent >> 1n) * (exponent & 1n ? base : 1n))
  return power(value, N - 2n)
}

describe('the same snapshot, random bytes and clock', () => {
  test.each([
    ['another number of change outputs', { changeOutputs: 2 }],
    ['another choice of coins', { strategy: 'all' }],
    ['another expiry', { ttlBlocks: 100 }],
  ] as const)('answer one I1 with %s under another nonce and key', async (_, options) => {
    const { slate: i1 } = await (await walletFor(2)).wallet.invoice({ amount: GRIN })
    const first = (await (await resumed()).pay(i1, near)).slate
    const second = (await (await resumed()).pay(i1, { ...near, ...options })).slate
    expect(extracted(i1, [first, second])).not.toContain(ownExcess(first))
    expect(ownNonce(second)).not.toBe(ownNonce(first))
    expect(ownExcess(second)).not.toBe(ownExcess(first))
  })

  test('answer one I1 with one I2 when nothing else differs', async () => {
    const { slate: i1 } = await (await walletFor(2)).wallet.invoice({ amount: GRIN })
    const pay = async () => (await (await resumed()).pay(i1, near)).slate
    expect(await pay()).toEqual(await pay())
  })

  test.each([
    ['another receiver', { recipient: addressOf(3) }],
    ['no proof', { proof: false }],
    ['other coins', { strategy: 'all' }],
    ['more change', { changeOutputs: 2 }],
    ['another expiry', { ttlBlocks: 100 }],
  ] as const)('begin a payment with %s under another nonce and key', async (_, options) => {
    const base = { amount: GRIN, recipient: addressOf(2), ...near }
    const first = (await (await resumed()).send(base)).slate
    const second = (await (await resumed()).send({ ...base, ...options })).slate
    expect(ownNonce(second)).not.toBe(ownNonce(first))
    expect(ownExcess(second)).not.toBe(ownExcess(first))
  })

  test('ask two payers under two nonces', async () => {
    const ask = async (payer: number) =>
      (await (await resumed()).invoice({ amount: GRIN, payer: addressOf(payer) })).slate
    const [first, second] = [await ask(2), await ask(3)]
    expect(ownNonce(second)).not.toBe(ownNonce(first))
    expect(ownExcess(second)).not.toBe(ownExcess(first))
  })
})
