// The wallet on the real Grin library: recorded S1 of grin-wallet in, S2 out. Vectors: test/vectors/wallet/run_standard.json.
import { describe, expect, test } from 'vitest'
import { verifyReceiverProof } from '../../../src/grin/proof/index.js'
import { decodeSlate, digestSlate } from '../../../src/grin/slate/index.js'
import {
  addressOfSeed,
  armorSlate,
  armorSlateTo,
  parseAddress,
  readSlatepack,
} from '../../../src/grin/slatepack/index.js'
import { createApp, createReadiness } from '../../../src/http/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { createWallet } from '../../../src/till/index.js'
import { tillHttp } from '../../../src/till/routes/till-http.js'
import { countingRandom, prove, verify, walletOf } from '../../support/grin.js'
import { stillClock, VERSION } from '../../support/till-app.js'
import { grin } from '../../support/till-builders.js'
import { codeOf, openTill } from '../../support/till-parts.js'
import { bytes, vectors } from '../../support/vectors.js'

interface Run {
  readonly name: string
  readonly receiver_mnemonic: string
  readonly sender_mnemonic: string
  readonly s1: { readonly bin: string; readonly json: { readonly amt: string } }
  readonly receiver: { readonly output: { readonly path: string; readonly commit: string } }
}
const runs: readonly Run[] = vectors('wallet/run_standard.json').runs
const runNamed = (name: string): Run => {
  const run = runs.find((one) => one.name === name)
  if (!run) throw new Error(`no run "${name}"`)
  return run
}

const PREFIX = 'grin'
const keychainOf = (run: Run) => walletOf(run.receiver_mnemonic)
const openWallet = (run: Run) =>
  createWallet({
    keychain: keychainOf(run),
    prefix: PREFIX,
    prove,
    verify,
    random: countingRandom(),
    clock: { now: () => 0 },
  })
const slateOf = (run: Run) => decodeSlate(bytes(run.s1.bin))
const plainText = (run: Run) => armorSlate(slateOf(run), { prefix: PREFIX })
const indexOf = ({ receiver }: Run) => Number(receiver.output.path.split('/').at(-1))

describe('a recorded S1', () => {
  const run = runNamed('one input, one change output')

  test('is opened without taking anything', async () => {
    const slate = slateOf(run)
    expect(await openWallet(run).open(`Dear shop,\n${plainText(run)}\nbye`)).toMatchObject({
      id: slate.id,
      state: 'S1',
      amount: 1_000_000_000n,
      feeFields: 23_000_000n,
      ttl: 0n,
      digest: digestSlate(slate),
      refusal: undefined,
    })
  })

  test('is answered with the recorded output, in the plain as it came', async () => {
    const incoming = await openWallet(run).open(plainText(run))
    const { s2, reply, commitment, excess, proof } = await incoming.receive(indexOf(run))
    expect(toHex(commitment)).toBe(run.receiver.output.commit)
    expect(proof).toBeNull()
    const { slate, encrypted, bytes: sent } = await readSlatepack(reply, { prefix: PREFIX })
    expect(encrypted).toBe(false)
    expect(sent).toEqual(s2)
    expect(slate).toMatchObject({ id: incoming.id, state: 'S2', amount: 0n, fee: 0n })
    expect(slate.commitments?.map((one) => toHex(one.commitment))).toEqual([run.receiver.output.commit])
    expect([8, 9]).toContain(excess[0])
  })

  test('encrypted to the till by a named sender is answered to that sender only', async () => {
    const wallet = openWallet(run)
    const senderSeed = walletOf(run.sender_mnemonic).addressSeed(0, 0)
    const text = await armorSlateTo([parseAddress(wallet.address, PREFIX)], slateOf(run), {
      prefix: PREFIX,
      sender: addressOfSeed(senderSeed),
      random: countingRandom(7),
    })
    const incoming = await wallet.open(text)
    expect(incoming.digest).toEqual(digestSlate(slateOf(run)))
    const { reply, s2 } = await incoming.receive(indexOf(run))
    expect(await codeOf(readSlatepack(reply, { prefix: PREFIX }))).toBe('SLATEPACK_CANNOT_DECRYPT')
    const opened = await readSlatepack(reply, { prefix: PREFIX, decryptWith: [senderSeed] })
    expect(opened.bytes).toEqual(s2)
  })

  test('that came through an encrypted channel is answered in the plain, whatever it was', async () => {
    const wallet = openWallet(run)
    const senderSeed = walletOf(run.sender_mnemonic).addressSeed(0, 0)
    const text = await armorSlateTo([parseAddress(wallet.address, PREFIX)], slateOf(run), {
      prefix: PREFIX,
      sender: addressOfSeed(senderSeed),
      random: countingRandom(7),
    })
    const { reply, s2 } = await (await wallet.open(text, { sealed: true })).receive(indexOf(run))
    const { encrypted, bytes: sent } = await readSlatepack(reply, { prefix: PREFIX })
    expect({ encrypted, sent }).toEqual({ encrypted: false, sent: s2 })
  })

  test('for another wallet cannot be read', async () => {
    const other = addressOfSeed(walletOf(run.sender_mnemonic).addressSeed(0, 0))
    const text = await armorSlateTo([other], slateOf(run), { prefix: PREFIX, random: countingRandom(7) })
    expect(await codeOf(openWallet(run).open(text))).toBe('SLATEPACK_CANNOT_DECRYPT')
    expect(await codeOf(openWallet(run).open('hello'))).toBe('SLATEPACK_BAD_HEADER')
  })
})

test('a sender that asks for a payment proof gets one that holds', async () => {
  const run = runNamed('with payment proof')
  const { proof, excess } = await (await openWallet(run).open(plainText(run))).receive(indexOf(run))
  expect(proof).toMatchObject({ amount: BigInt(run.s1.json.amt), kernelExcess: toHex(excess) })
  const { amount, kernelExcess, senderAddress, recipientAddress, recipientSig } = proof ?? expect.fail()
  const recipient = bytes(recipientAddress)
  expect(recipient).toEqual(parseAddress(openWallet(run).address, PREFIX))
  const signed = { amount, excess: bytes(kernelExcess), sender: bytes(senderAddress), recipient }
  expect(verifyReceiverProof({ ...signed, signature: bytes(recipientSig) })).toBe(true)
})

test.each([
  ['with payment proof to address index 7 (upstream always signs with index 0)', 'S1_PROOF_ADDRESS'],
  ['height locked kernel (a receiver may refuse it)', 'S1_FEATURES'],
])('%s is refused with the rule’s own code, and nothing is taken', async (name, code) => {
  const run = runNamed(name)
  const wallet = openWallet(run)
  expect((await wallet.open(plainText(run))).refusal?.code).toBe(code)
  const { till, store } = openTill({ parts: { wallet } })
  const { invoice } = await till.createInvoice({ amountNanogrin: BigInt(run.s1.json.amt) })
  expect(await codeOf(till.pasteSlatepack(invoice.token, plainText(run)))).toBe(code)
  expect(await store.takeKeyIndex()).toBe(0)
})

test('a whole payment: paste, reply, repeat', async () => {
  const run = runNamed('three inputs, ttl')
  const { ttl, amount } = slateOf(run)
  expect(ttl).toBeGreaterThan(0n)
  const { till, chain } = openTill({ parts: { wallet: openWallet(run) } })
  chain.height = Number(ttl) - 1
  const { invoice } = await till.createInvoice({ amountNanogrin: amount })
  const first = await till.pasteSlatepack(invoice.token, plainText(run))
  expect(first.payment.s2.length).toBeGreaterThan(675)
  const again = await till.pasteSlatepack(invoice.token, plainText(run))
  expect(again).toMatchObject({ repeated: true, slatepack: first.slatepack })
  expect((await till.findInvoice(invoice.id))?.status).toBe('paid')
})

test('a slate whose last block is here is refused', async () => {
  const run = runNamed('three inputs, ttl')
  const { ttl, amount } = slateOf(run)
  const { till, chain } = openTill({ parts: { wallet: openWallet(run) } })
  chain.height = Number(ttl)
  const { invoice } = await till.createInvoice({ amountNanogrin: amount })
  expect(await codeOf(till.pasteSlatepack(invoice.token, plainText(run)))).toBe('SLATE_EXPIRED')
})

test.each(['{"toString":1}', '[]', '"grin1"'])(
  'a sender %s in a pasted JSON slatepack is a refusal, not a fault',
  async (sender) => {
    const run = runNamed('one input, one change output')
    const { till } = openTill({ parts: { wallet: openWallet(run) } })
    const { invoice } = await till.createInvoice({ amountNanogrin: grin(1) })
    const app = createApp({ clock: stillClock(), random: countingRandom(), rateLimits: false })
    await app.register(tillHttp, {
      till,
      version: VERSION,
      apiTokens: [],
      adminTokens: [],
      clock: stillClock(),
      readiness: createReadiness({ checks: async () => [], clock: stillClock() }),
    })
    const answer = await app.inject({
      method: 'POST',
      url: `/pay/${invoice.token}/slatepack`,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        slatepack: `{"slatepack":"1.0","mode":0,"sender":${sender},"payload":"AA=="}`,
      }).toString(),
    })
    await app.close()
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'SLATEPACK_INVALID'])
  },
)
