// test/vectors/wallet/foreign_rpc.json and test/vectors/real/rpc: every slate sent to, and returned by, real Foreign APIs.
// The transport is another module's; here every slate is read, judged by our rules, and every S2 checked.
import { describe, expect, test } from 'vitest'
import { verifyReceiverProof } from '../../../src/grin/proof/index.js'
import { checkI2, checkS1, ownAddresses } from '../../../src/grin/receive/index.js'
import { decodeSlate, encodeSlate, formatSlateJson, parseSlateJson, type Slate } from '../../../src/grin/slate/index.js'
import { excessOf, hasSigned, openSigningSession } from '../../../src/grin/tx/index.js'
import { walletOf } from '../../support/grin.js'
import { codeOf, vectors } from '../../support/vectors.js'

// biome-ignore lint/suspicious/noExplicitAny: recordings, as they are
type Recorded = any
const wallet = vectors('wallet/foreign_rpc.json')
const real = vectors('real/rpc/wallet-foreign.json')

const calls: { name: string; request: Recorded; response: Recorded; panic: boolean; mnemonic: string; tip: number }[] =
  [
    ...wallet.calls.map((call: Recorded) => ({
      name: call.case,
      request: call.request,
      response: call.response,
      panic: call.panic !== undefined,
      mnemonic: wallet.receiver_mnemonic,
      tip: 3_000_000,
    })),
    ...Object.entries<Recorded>(real).map(([name, { request, response }]) => ({
      name: `real: ${name}`,
      request,
      response,
      panic: false,
      mnemonic: vectors('real/wallets.json').wallets.bob.mnemonic,
      tip: 22,
    })),
  ]
const slateIn = ({ request }: (typeof calls)[number]) => request?.params?.slate ?? request?.params?.[0]
const methodOf = (method: string) => calls.filter(({ request }) => request?.method === method)

/** Calls whose slate cannot be read; grin's handler panics over one of them. */
const UNREADABLE = /does not parse|slate as text|non-hex offset|bad_slate/

/** What our RULEs (4.1) say where grin-wallet says Ok or something else. */
const REFUSED: Readonly<Record<string, string>> = {
  'receive_tx with ttl equal to the last confirmed height': 'S1_EXPIRED',
  'receive_tx with amount zero (5.4.1 accepts, 5.5.1 refuses)': 'S1_ZERO_AMOUNT',
  'receive_tx with state I1 (5.4.1 accepts, 5.5.1 refuses)': 'S1_STATE',
  'receive_tx with kernel feature 1': 'S1_FEATURES',
  'receive_tx with kernel feature 9': 'S1_FEATURES',
  'receive_tx with kernel feature 2 and no lock height': 'S1_FEATURES',
  "receive_tx without the sender's participant (accepted)": 'S1_PARTICIPANTS',
  "receive_tx with the sender's participant twice": 'S1_PARTICIPANTS',
  'receive_tx with fee zero (accepted; the final transaction would fail)': 'S1_FEE_TOO_LOW',
  'receive_tx with a wrong sender signature': 'S1_SIGNED',
  'real: receive_tx_zero_amount': 'S1_ZERO_AMOUNT',
  'real: receive_tx_wrong_state': 'S1_STATE',
  'real: receive_tx_expired': 'S1_EXPIRED',
  // Stock wallets compare with the height of their last refresh; ours with the chain's.
  'real: receive_tx_expired_before_refresh': 'S1_EXPIRED',
}

describe.each(methodOf('receive_tx'))('$name', (call) => {
  test('the slate is read and judged', async () => {
    const json = slateIn(call)
    const asText = typeof json === 'string'
    if (UNREADABLE.test(call.name)) {
      expect(call.panic || call.response.error !== undefined).toBe(true)
      // As a library ours reads a slate's text too; a JSON-RPC parameter must be an object, which is its caller's check.
      return expect(await codeOf(() => parseSlateJson(json))).toBe(asText ? 'ok' : 'SLATE_INVALID')
    }
    const slate = parseSlateJson(json)
    expect(parseSlateJson(formatSlateJson(slate))).toEqual(slate)
    const rules = { tip: call.tip, addresses: ownAddresses(walletOf(call.mnemonic)) }
    expect(checkS1(slate, rules)?.code).toBe(REFUSED[call.name])
  })
})

const answered = methodOf('receive_tx').filter(({ name, response }) => response?.result?.Ok && !REFUSED[name])

test.each(answered)('the S2 of "$name" is one ours would have made', (call) => {
  const [s1, s2] = [parseSlateJson(slateIn(call)), parseSlateJson(call.response.result.Ok)]
  expect(decodeSlate(encodeSlate(s2))).toEqual(s2)
  checkReply(s1, s2, call.mnemonic)
})

function checkReply(s1: Slate, s2: Slate, mnemonic: string): void {
  const keychain = walletOf(mnemonic)
  const [output] = s2.commitments!
  expect(keychain.rewindOutput(output!.commitment, output!.proof!)?.value).toBe(s1.amount)
  const session = openSigningSession(s1, [...s1.participants, ...s2.participants])
  expect(hasSigned(s2.participants[0]!, session)).toBe(true)
  expect([s2.state, s2.amount, s2.fee, s2.ttl, s2.headerVersion, s2.id]).toEqual([
    'S2',
    0n,
    0n,
    s1.ttl,
    s1.headerVersion,
    s1.id,
  ])
  expect(s2.proof !== undefined).toBe(s1.proof !== undefined)
  if (!s1.proof) return
  const { sender, receiver: recipient, signature } = s2.proof!
  expect([sender, recipient]).toEqual([s1.proof.sender, s1.proof.receiver])
  const excess = excessOf(session)
  expect(verifyReceiverProof({ amount: s1.amount, excess, sender, recipient, signature: signature! })).toBe(true)
}

describe.each(methodOf('finalize_tx'))('$name', (call) => {
  test('the slate is read, and an I2 judged', () => {
    const slate = parseSlateJson(slateIn(call))
    const invoice = { slateId: '0436430c-2b02-624c-2032-570501212b08', commitment: new Uint8Array(33) }
    const refusal = checkI2(slate, { invoice, tip: call.tip })?.code
    if (slate.state !== 'I2') expect(refusal).toBe('I2_STATE')
    else expect(refusal).toBe(slate.id === invoice.slateId ? undefined : 'I2_UNKNOWN')
    const answer = call.response?.result?.Ok
    if (answer) expect(JSON.parse(formatSlateJson(parseSlateJson(answer)))).toEqual(answer)
  })
})

test('calls were found', () => {
  expect([methodOf('receive_tx').length, methodOf('finalize_tx').length]).toEqual([30, 8])
})
