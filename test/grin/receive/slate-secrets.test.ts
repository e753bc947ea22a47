// A virtual machine that is resumed twice from one snapshot repeats its random bytes. Two different slates must not get one nonce then:
// two signatures with one nonce give the key away.
import { createHmac, hkdfSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { secureNonce } from '../../../src/grin/crypto/index.js'
import { identifierFromPath, openKeychain, outputIdentifier } from '../../../src/grin/keychain/index.js'
import { createS1, planSpend } from '../../../src/grin/payer/index.js'
import { createSecretVault, issueInvoice, ownAddresses, receiveS1 } from '../../../src/grin/receive/index.js'
import { digestSlate, type Slate } from '../../../src/grin/slate/index.js'
import { toHex, utf8 } from '../../../src/lib/bytes.js'
import { countingRandom } from '../../support/grin.js'

const SEED = new Uint8Array(32).fill(9)
const PAYER = 7
const amount = nanoGrin(1_500_000_000n)
/** The same bytes for every question: what a snapshot resumed again gives. */
const constant = { bytes: (length: number) => new Uint8Array(length).fill(0x42) }
/** The range proof is made of other things. */
const prove = async () => new Uint8Array(675)

function anS1(id: string): Slate {
  const coins = [{ identifier: outputIdentifier(0, 0), value: 60_000_000_000n }]
  const spend = planSpend(coins, amount, outputIdentifier(0, 1))
  return createS1({ amount, spend, id, random: countingRandom(PAYER) }).slate
}
const [FIRST, SECOND] = [anS1('11111111-1111-4111-8111-111111111111'), anS1('22222222-2222-4222-8222-222222222222')]

async function shown(slate: Slate, { seed = SEED, keyIndex = 3 } = {}) {
  const keychain = openKeychain(seed)
  const rules = { tip: 0, addresses: ownAddresses(keychain) }
  const { slate: s2 } = await receiveS1({ keychain, slate, rules, keyIndex, prove, random: constant })
  const [own] = s2.participants
  return { nonce: toHex(own?.nonce ?? new Uint8Array()), excess: toHex(own?.excess ?? new Uint8Array()) }
}

describe('with a random source that repeats itself', () => {
  test('two different S1 get different nonces and keys, the same S1 the same', async () => {
    const [first, second, again] = await Promise.all([FIRST, SECOND, FIRST].map((slate) => shown(slate)))
    expect(second?.nonce).not.toBe(first?.nonce)
    expect(second?.excess).not.toBe(first?.excess)
    expect(first?.nonce).not.toBe(first?.excess)
    expect(again).toEqual(first)
  })

  test('another wallet has other nonces', async () => {
    const [ours, theirs] = [await shown(FIRST), await shown(FIRST, { seed: new Uint8Array(32).fill(8) })]
    expect(theirs.nonce).not.toBe(ours.nonce)
  })

  test('two I1 that differ in id, amount, key or moment get different nonces and keys', async () => {
    const base = { amount, keyIndex: 3, id: FIRST.id, now: 1_000 }
    const others = [base, { ...base, id: SECOND.id }, { ...base, amount: nanoGrin(2n) }, { ...base, keyIndex: 4 }]
    const slates = [...others, { ...base, now: 1_001 }]
    const participants = await Promise.all(
      slates.map(async (input) => {
        const { slate } = await issueInvoice({ keychain: openKeychain(SEED), prove, random: constant, ...input })
        return slate.participants[0]
      }),
    )
    expect(new Set(participants.map((one) => toHex(one?.nonce ?? new Uint8Array()))).size).toBe(slates.length)
    expect(new Set(participants.map((one) => toHex(one?.excess ?? new Uint8Array()))).size).toBe(slates.length)
  })

  test('two sealed secrets do not share one key stream', () => {
    const vault = createSecretVault(openKeychain(SEED), constant)
    const [first, second] = [1, 2].map((byte) => vault.seal(FIRST.id, new Uint8Array(64).fill(byte)))
    expect(toHex(second?.slice(1, 25) ?? new Uint8Array())).not.toBe(toHex(first?.slice(1, 25) ?? new Uint8Array()))
    expect(vault.open(FIRST.id, first ?? new Uint8Array())).toEqual(new Uint8Array(64).fill(1))
  })
})

test('with a good random source the same S1 gets another nonce each time', async () => {
  const keychain = openKeychain(SEED)
  const random = countingRandom(1)
  const rules = { tip: 0, addresses: ownAddresses(keychain) }
  const nonces = []
  for (const keyIndex of [1, 2]) {
    const { slate } = await receiveS1({ keychain, slate: FIRST, rules, keyIndex, prove, random })
    nonces.push(toHex(slate.participants[0]?.nonce ?? new Uint8Array()))
  }
  expect(nonces[0]).not.toBe(nonces[1])
})

test('the derivation is the documented one', async () => {
  const root = openKeychain(SEED).deriveKey(identifierFromPath('m'))
  const rootBytes = Buffer.from(root.toString(16).padStart(64, '0'), 'hex')
  const key = Buffer.from(hkdfSync('sha256', rootBytes, new Uint8Array(0), utf8('grinpay slate secrets 1'), 32))
  const mac = createHmac('sha256', key).update('S1 nonce 0').update(constant.bytes(32)).update(digestSlate(FIRST))
  expect((await shown(FIRST)).nonce).toBe(toHex(secureNonce(new Uint8Array(mac.digest())).public))
})
