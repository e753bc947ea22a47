// test/vectors/wallet/foreign_rpc.json and run_invoice.json: requests to real Foreign APIs, answered by ours. Where stock answers
// `Ok` or a protocol error ours is the same; where it answers `result.Err` ours is an error with words, as no stock sender can
// read `Err`; where our rules refuse what stock takes, the rule is named.
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { outputIdentifier } from '../../../src/grin/keychain/index.js'
import { createSecretVault, issueWith } from '../../../src/grin/receive/index.js'
import { decodeSlate, parseSlateJson } from '../../../src/grin/slate/index.js'
import { hasSigned, openSigningSession } from '../../../src/grin/tx/index.js'
import { openForeign } from '../../support/foreign.js'
import { countingRandom, prove, secretsOf, walletOf } from '../../support/grin.js'
import { anInvoice } from '../../support/till-builders.js'
import { bytes, vectors } from '../../support/vectors.js'

// biome-ignore lint/suspicious/noExplicitAny: recordings, as they are
type Recorded = any
const { calls, receiver_mnemonic: mnemonic } = vectors('wallet/foreign_rpc.json')
const open = () => openForeign({ mnemonic, settings: { unmatched: 'accept' } })
const named = (pattern: RegExp): Recorded[] => calls.filter((call: Recorded) => pattern.test(call.case))
const plain = named(/^(?!receive_tx|finalize_tx|build_coinbase)/)
const receives = named(/^receive_tx/)
const others = named(/^(finalize_tx|build_coinbase)/)

describe('envelopes and check_version', () => {
  test.each<Recorded>(plain)('$case', async ({ request, response }) => {
    expect(await open().ask(request)).toEqual(response)
  })
})

/** What ours says where stock panics, takes it, or answers `Err`: its rules (specification: grin-wallet, 4.1). */
const OURS: Readonly<Record<string, RegExp>> = {
  'receive_tx with a non-hex offset (the handler panics)':
    /^InvalidArgStructure "slate" at position 0\. .*off: not hex/,
  'receive_tx with ttl equal to the last confirmed height': /was valid until block 3000000, the chain is at 3000000/,
  'receive_tx with amount zero (5.4.1 accepts, 5.5.1 refuses)': /this slatepack is for 0 GRIN/,
  'receive_tx with state I1 (5.4.1 accepts, 5.5.1 refuses)': /in state I1; a payment starts with state S1/,
  'receive_tx with kernel feature 1': /locked or conditional/,
  'receive_tx with kernel feature 9': /locked or conditional/,
  'receive_tx with kernel feature 2 and no lock height': /locked or conditional/,
  "receive_tx without the sender's participant (accepted)": /0 participants instead of one/,
  "receive_tx with the sender's participant twice": /2 participants instead of one/,
  'receive_tx with fee zero (accepted; the final transaction would fail)': /fee of 0 nanogrin/,
  'receive_tx with a wrong sender signature': /signed before we could answer it/,
}
/** RULE (2.1): any header version is taken. RULE (7): a repeat reads the stored S2. */
const TAKEN = new Set(['receive_tx, the same slate again', 'receive_tx with header version 2 while the node is at 5'])

describe('receive_tx', () => {
  test.each<Recorded>(receives)('$case', async ({ case: name, request, response }) => {
    const { ask, till } = open()
    await till.passes.confirm()
    const answer = await ask(request)
    const ours = OURS[name]
    expect([answer.id, answer.jsonrpc]).toEqual([1, '2.0'])
    if (ours) {
      expect(answer.error.message).toMatch(ours)
      expect(answer.error.code).toBe(ours.source.includes('InvalidArg') ? -32602 : -32000)
    } else if (response.error) {
      expect(answer.error.code).toBe(response.error.code)
      expect(answer.error.message.startsWith(response.error.message)).toBe(true)
    } else {
      expect(response.result.Ok !== undefined || TAKEN.has(name)).toBe(true)
      expectS2(request.params.slate ?? request.params[0], answer.result.Ok, response.result.Ok)
    }
  })

  test('the same slate again is answered with the same bytes', async () => {
    const { ask } = open()
    const [first, again] = receives
    expect(first.request.params[0].id).toBe(again.request.params[0].id)
    const answer = await ask(first.request)
    expect(answer.result.Ok.sta).toBe('S2')
    expect(await ask(again.request)).toEqual(answer)
  })
})

/** The S2 has the members a stock one has, and our signature fits the sender's session. */
function expectS2(asked: Recorded, given: Recorded, recorded: Recorded): void {
  const [s1, s2] = [parseSlateJson(asked), parseSlateJson(given)]
  if (recorded) expect(Object.keys(given).sort()).toEqual(Object.keys(recorded).sort())
  const { ver, id, sta, ttl, amt, fee } = given
  expect([ver, id, sta, ttl, amt, fee]).toEqual([asked.ver, asked.id, 'S2', asked.ttl, undefined, undefined])
  expect(hasSigned(s2.participants[0]!, openSigningSession(s1, [...s1.participants, ...s2.participants]))).toBe(true)
}

const REFUSALS: Readonly<Record<string, readonly [code: number, text: RegExp]>> = {
  'finalize_tx with a slate of state I1': [-32000, /in state I1; what answers an invoice is in state I2/],
  // The secrets of this wallet's invoice are not recorded; run_invoice.json below has such.
  'finalize_tx (invoice)': [-32000, /answers no invoice of this till/],
  'finalize_tx again': [-32000, /answers no invoice of this till/],
  'finalize_tx with an unknown slate id': [-32000, /answers no invoice of this till/],
  'finalize_tx with two params': [-32602, /^WrongNumberOfArgs\. Expected 1\. Actual 2$/],
  // A till never sends.
  'finalize_tx (standard flow, called on the sender)': [-32000, /in state S2; what answers an invoice/],
  build_coinbase: [-32601, /^Method not found$/],
}

describe('what a till does not do', () => {
  test.each<Recorded>(others)('$case', async ({ case: name, request }) => {
    const { error, result } = await open().ask(request)
    const [code, text] = REFUSALS[name]!
    expect(result).toBeUndefined()
    expect(error).toEqual({ code, message: expect.stringMatching(text) })
  })
})

const { runs, through_the_wallet_api } = vectors('wallet/run_invoice.json')

/** A till whose invoice has the recorded slate, with the recorded secrets. */
async function openRun(run: Recorded) {
  const { identifier, value } = run.issuer.secrets.outputs[0]
  const keyIndex = Number.parseInt(identifier.slice(18, 26), 16)
  const amount = nanoGrin(BigInt(value))
  const slateId = decodeSlate(bytes(run.i1.bin)).id
  const keychain = walletOf(run.issuer_mnemonic)
  expect(outputIdentifier(0, keyIndex)).toEqual(bytes(identifier))
  const secrets = secretsOf(run.issuer.secrets)
  const issued = (await issueWith(secrets, { keychain, amount, keyIndex, id: slateId, prove })).invoice
  const { commitment, rangeProof } = issued
  const sealedSecrets = createSecretVault(keychain, countingRandom()).seal(slateId, issued.secrets)
  const opened = openForeign({ mnemonic: run.issuer_mnemonic })
  const invoice = anInvoice({ amount, offeredRail: 'grin1', slateId, slatepack: 'BEGINSLATEPACK.' })
  const kept = { slateId, invoiceId: invoice.id, amount, keyIndex, commitment, rangeProof, sealedSecrets }
  await opened.store.insertInvoice(invoice, 0, undefined, { ...kept, state: 'open', createdAt: 0 })
  await opened.till.passes.confirm()
  return { ...opened, invoice }
}

describe('finalize_tx with the recorded secrets', () => {
  test.each<Recorded>([...runs, ...through_the_wallet_api])('$name', async (run) => {
    const { call, chain, till, invoice } = await openRun(run)
    const answer = await call('finalize_tx', [run.i2.json])
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: { Ok: run.i3.json } })
    expect(chain.pushed.map(({ transaction }) => JSON.parse(transaction))).toEqual([run.final.tx])
    expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'paid', paymentId: invoice.slateId })
    expect(await call('finalize_tx', { slate: run.i2.json })).toEqual(answer)
  })
})

/** Calls to the listener of grin-wallet 5.5.1, written down as they went over HTTP. */
const real: [string, Recorded][] = Object.entries(vectors('real/rpc/wallet-foreign.json'))
/** A repeat reads the stored S2 (RULE, 7); without the first of the two there is none. */
const REAL_OURS: Readonly<Record<string, string>> = {
  receive_tx_again: 'Ok',
  receive_tx_expired_before_refresh: 'error',
  finalize_tx: 'error',
  build_coinbase: 'error',
}

describe('the real listener', () => {
  test.each(real)('%s', async (name, { request, response, status, response_headers }) => {
    const opened = openForeign({
      mnemonic: vectors('real/wallets.json').wallets.bob.mnemonic,
      settings: { unmatched: 'accept' },
      height: 22,
    })
    await opened.till.passes.confirm()
    const answer = await opened.post(typeof request === 'string' ? request : JSON.stringify(request))
    expect(answer.status).toBe(status)
    for (const header of ['content-type', 'access-control-allow-origin', 'access-control-allow-headers'])
      expect([header, answer.headers[header]]).toEqual([header, response_headers[header]])
    if (typeof response === 'string') return expect(answer.body).toMatch(/^Generic error: Invalid request body: /)
    const { result, error } = JSON.parse(answer.body)
    const stock = response.result?.Ok ? 'Ok' : 'error'
    expect(result?.Ok ? 'Ok' : 'error').toBe(REAL_OURS[name] ?? stock)
    if (response.error) {
      expect(error.code).toBe(response.error.code)
      expect(error.message.startsWith(response.error.message)).toBe(true)
    } else if (name === 'check_version') expect(result).toEqual(response.result)
    else if (result) expectS2(request.params.slate ?? request.params[0], result.Ok, response.result.Ok)
  })
})

test('every recorded call was replayed', () => {
  expect([plain.length, receives.length, others.length]).toEqual([11, 21, 7])
  expect([calls.length, real.length]).toEqual([39, 15])
})
