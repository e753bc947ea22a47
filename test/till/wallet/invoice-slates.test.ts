// The invoice half of the wallet on the real Grin library, paid by our own payer (which replays grin-wallet's bytes, test/grin/payer).
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { type Keychain, openKeychain, outputIdentifier } from '../../../src/grin/keychain/index.js'
import { payI1, planSpend } from '../../../src/grin/payer/index.js'
import { createSecretVault } from '../../../src/grin/receive/index.js'
import { formatSlateJson, parseSlateJson, type Slate } from '../../../src/grin/slate/index.js'
import { addressOfSeed, armorSlate, armorSlateTo, readSlatepack } from '../../../src/grin/slatepack/index.js'
import { parseTransactionJson, validateTransaction } from '../../../src/grin/tx/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { createWallet, type InvoiceSlate } from '../../../src/till/index.js'
import { countingRandom, prove, verify } from '../../support/grin.js'
import { codeOf } from '../../support/vectors.js'

const PREFIX = 'grin'
const AMOUNT = nanoGrin(1_700_000_000n)
const keychain = openKeychain(new Uint8Array(32).fill(1))
const payer = openKeychain(new Uint8Array(32).fill(2))
const open = (of: Keychain = keychain, start = 1) =>
  createWallet({ keychain: of, prefix: PREFIX, prove, verify, random: countingRandom(start), clock: { now: () => 0 } })

const wallet = open()
const { slate: made, armor } = await wallet.issue(AMOUNT, 7)
const kept: InvoiceSlate = { ...made, invoiceId: 'i', state: 'open', createdAt: 0 }

async function payerAnswers(i1: Slate): Promise<Slate> {
  const coin = { identifier: outputIdentifier(0, 1), value: nanoGrin(5_000_000_000n), coinbase: false }
  const spend = planSpend([coin], i1.amount, outputIdentifier(0, 2))
  return (await payI1({ keychain: payer, slate: i1, spend, prove, random: countingRandom(9) })).slate
}
const i2 = await payerAnswers((await readSlatepack(armor, { prefix: PREFIX })).slate)

describe('an issued I1', () => {
  test('asks for the amount and names our address as sender, in the plain', async () => {
    const { slate, encrypted, sender } = await readSlatepack(armor, { prefix: PREFIX })
    expect(slate).toMatchObject({ state: 'I1', amount: AMOUNT, ttl: 0n, fee: 0n, headerVersion: 3, numParts: 2 })
    expect(slate.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(encrypted).toBe(false)
    expect(sender).toEqual(addressOfSeed(keychain.addressSeed(0, 0)))
    expect(made).toMatchObject({ slateId: slate.id, amount: AMOUNT, keyIndex: 7 })
    expect(made.commitment).toEqual(keychain.commitOutput(outputIdentifier(0, 7), AMOUNT))
  })

  test('keeps its secrets sealed: only this seed opens them, and only for this slate', async () => {
    const elsewhere = open(payer)
    expect(
      await elsewhere
        .read(JSON.parse(formatSlateJson(i2)))
        .finalize(kept, 0)
        .catch(String),
    ).toContain('of another wallet')
    const other = (await wallet.issue(AMOUNT, 8)).slate
    const moved = { ...kept, sealedSecrets: other.sealedSecrets }
    expect(
      await wallet
        .read(JSON.parse(formatSlateJson(i2)))
        .finalize(moved, 0)
        .catch(String),
    ).toContain('of another wallet')
    for (const at of [0, 1, 30, 104]) {
      const damaged = made.sealedSecrets!.map((byte, i) => (i === at ? byte ^ 1 : byte))
      const run = wallet.read(JSON.parse(formatSlateJson(i2))).finalize({ ...kept, sealedSecrets: damaged }, 0)
      expect(await run.catch(String)).toContain('slate secrets')
    }
  })

  // They leave the library as bytes: the till must not pass them on, to a store, a log or a page.
  test('shows its secrets nowhere else: neither in what is stored, nor in the slatepack', async () => {
    const secrets = createSecretVault(keychain, countingRandom(1)).open(made.slateId, made.sealedSecrets!)
    expect(secrets.length).toBe(64)
    const { bytes } = await readSlatepack(armor, { prefix: PREFIX })
    const shown = [...Object.values(made), bytes].flatMap((value) =>
      value instanceof Uint8Array ? [toHex(value)] : [],
    )
    expect(shown.length).toBe(4)
    for (const half of [secrets.slice(0, 32), secrets.slice(32)])
      expect(shown.filter((hex) => hex.includes(toHex(half)))).toEqual([])
    expect(Object.keys(made).sort()).toEqual([
      'amount',
      'commitment',
      'keyIndex',
      'rangeProof',
      'sealedSecrets',
      'slateId',
    ])
  })

  test('is never completed without its secrets', async () => {
    const wiped = { ...kept, sealedSecrets: null }
    await expect(wallet.read(JSON.parse(formatSlateJson(i2))).finalize(wiped, 0)).rejects.toThrow('no longer has')
  })
})

describe('its I2', () => {
  const judge = (slate: Slate, tip = 0) =>
    codeOf(() => wallet.read(JSON.parse(formatSlateJson(slate))).finalize(kept, tip))

  test('is completed to a transaction that a node takes, armored in the plain for a slate that came as JSON', async () => {
    const { i3, reply, excess, transaction } = await wallet.read(JSON.parse(formatSlateJson(i2))).finalize(kept, 0)
    const read = await readSlatepack(reply, { prefix: PREFIX })
    expect(read.slate).toMatchObject({ id: i2.id, state: 'I3', amount: 0n })
    expect(read.bytes).toEqual(i3)
    const tx = parseTransactionJson(JSON.parse(transaction))
    expect(await validateTransaction(tx, verify)).toBeUndefined()
    expect(tx.kernels[0]?.excess).toEqual(excess)
    expect(tx.outputs.map(({ commitment }) => commitment)).toContainEqual(made.commitment)
  })

  test('is answered encrypted when it came so', async () => {
    const seeds = [keychain, payer].map((one) => one.addressSeed(0, 0))
    const [ours, theirs] = seeds.map(addressOfSeed)
    const text = await armorSlateTo([ours!], i2, { prefix: PREFIX, sender: theirs!, random: countingRandom() })
    const { reply } = await (await wallet.open(text)).finalize(kept, 0)
    const { slate, encrypted } = await readSlatepack(reply, { prefix: PREFIX, decryptWith: [seeds[1]!] })
    expect([slate.state, encrypted]).toEqual(['I3', true])
    expect((await (await wallet.open(armorSlate(i2, { prefix: PREFIX }))).finalize(kept, 0)).reply).toMatch(/^BEGIN/)
  })

  test('altered on the way is refused, and the honest one still works', async () => {
    const [payerPart] = i2.participants
    const [first] = i2.commitments!
    const refused: readonly (readonly [Slate, string])[] = [
      [{ ...i2, state: 'S1', amount: AMOUNT }, 'I2_STATE'],
      [{ ...i2, id: '00000000-0000-4000-8000-000000000000' }, 'I2_UNKNOWN'],
      [{ ...i2, fee: i2.fee + 1n }, 'I2_SIGNATURE'],
      [{ ...i2, offset: new Uint8Array(32).fill(1) }, 'TX_KERNEL_SUM'],
      [{ ...i2, ttl: 50n }, 'I2_EXPIRED'],
      [{ ...i2, participants: [payerPart!, payerPart!] }, 'I2_PARTICIPANTS'],
      [
        { ...i2, commitments: Array.from({ length: 501 }, () => ({ ...first!, proof: undefined })) as never },
        'I2_TOO_LARGE',
      ],
    ]
    for (const [slate, code] of refused) expect(await judge(slate, 50)).toBe(code)
    expect(await judge(i2, 50)).toBe('ok')
  })
})

test('a slate as JSON is read, and anything else is refused as such', () => {
  expect(wallet.read(JSON.parse(formatSlateJson(i2)))).toMatchObject({ id: i2.id, state: 'I2', feeFields: i2.fee })
  expect(parseSlateJson(formatSlateJson(i2))).toEqual(i2)
  for (const junk of [null, 7, [], {}, { ver: '4:3' }]) expect(() => wallet.read(junk)).toThrow('not a readable slate')
  expect(() => wallet.read({ ...JSON.parse(formatSlateJson(i2)), ver: '5:3' })).toThrow('slate version 5')
})
