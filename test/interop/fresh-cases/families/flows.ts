// Whole payments between both wallets. Their secrets are random: a repeated case has the same amounts, coins and forms, not the same bytes.
import { toHex } from '../../../../src/lib/bytes.js'
import type { Family, Round } from '../family.js'
import { okOf } from '../reference.js'
import { fromTheirs, openOurs, openTheirs, type Slate, type Step, TIP, toTheirs } from './wallets.js'

/** A payment's amount: the sum of coins that pay it stays far below 2^64. */
const amountOf = ({ dice }: Round): bigint => dice.amount()

/** Both sides must take a final transaction, and find the same kernel and bytes in it. */
async function checkFinal({ library, ask, same }: Round, json: string, excess: Uint8Array): Promise<void> {
  const { tx } = library
  const read = tx.parseTransactionJson(JSON.parse(json))
  const theirs = okOf<{ valid: boolean; pays: boolean; v1: string; hash: string }>(await ask('transaction', { json }))
  same('the Rust crates take the transaction', [true, true], [theirs.valid, theirs.pays])
  same('we take the transaction', undefined, await tx.validateTransaction(read))
  same('its bytes', toHex(tx.encodeTransaction(read, 1)), theirs.v1)
  same('its hash', toHex(tx.transactionHash(read)), theirs.hash)
  same(
    'its kernel',
    read.kernels.map((kernel) => toHex(kernel.excess)),
    [toHex(excess)],
  )
}

/** The last slate of a flow: what they wrote is what we would write. */
function checkSlate({ library, same }: Round, { json, binary }: Step): void {
  same('the last slate in JSON', library.slate.formatSlateJson(library.slate.parseSlateJson(json)), json)
  same('the last slate in binary', toHex(library.slate.encodeSlate(library.slate.parseSlateJson(json))), binary)
}

/** What their recovery reads in our output. */
async function checkRewind(
  { ask, same }: Round,
  entropy: string,
  output: { commitment: Uint8Array; rangeProof: Uint8Array; identifier: Uint8Array; amount: bigint },
) {
  const { commitment, rangeProof, identifier, amount } = output
  const found = await ask('rewind', { entropy, commitment: toHex(commitment), proof: toHex(rangeProof) })
  same('our output recovered', found, { ok: { value: `${amount}`, identifier: toHex(identifier), switch: 'regular' } })
}

async function checkProof({ library, ask, same }: Round, json: string): Promise<void> {
  const read = library.proof.parsePaymentProof(JSON.parse(json), 'grin')
  library.proof.checkPaymentProof(read)
  same('their verdict on the payment proof', await ask('check-proof', { json }), { ok: { json } })
  same('the proof written by us', JSON.stringify(library.proof.paymentProofJson(read, 'grin')), json)
}

/** How their wallet spends. */
const spending = ({ dice }: Round) => ({
  change: dice.upTo(3),
  all: dice.chance(0.4),
  ...(dice.chance(0.3) && { ttl: dice.upTo(1000) }),
})

export const theyPayFamily: Family = {
  name: 'grin-wallet pays us',
  weight: 1.5,
  async run(round) {
    const { dice, library, same } = round
    const amount = amountOf(round)
    const [theirs, ours] = [await openTheirs(round, amount), openOurs(round, amount)]
    const index = dice.below(50)
    const addresses = library.receive.ownAddresses(ours.keychain, { account: ours.account, indices: [index] })
    const proof = dice.chance(0.5) ? { proof: library.slatepack.formatAddress('grin', addresses[0]!.publicKey) } : {}
    const asked = {
      amount: `${amount}`,
      late: dice.chance(0.3),
      ...proof,
      ...spending(round),
      ...(dice.chance(0.5) && { to: ours.address }),
    }
    const s1 = await fromTheirs(round, okOf<Step>(await theirs.step('send', asked)), ours)
    const { keychain, account, keyIndex } = ours
    const paid = await library.receive.receiveS1({
      keychain,
      slate: s1,
      account,
      keyIndex,
      amount,
      tip: TIP,
      addresses,
    })
    await checkRewind(round, ours.entropy, paid)
    const final = okOf<Step>(await theirs.step('finalize', await toTheirs(round, paid.slate, theirs.address, ours)))
    await checkFinal(round, final.transaction!, paid.excess)
    checkSlate(round, final)
    same('a proof is exported when one was asked for', 'proof' in final, 'proof' in asked)
    if (final.proof) await checkProof(round, final.proof)
    await theirs.forget()
  },
}

export const wePayFamily: Family = {
  name: 'we pay grin-wallet',
  weight: 1.5,
  async run(round) {
    const { dice, library } = round
    const amount = amountOf(round)
    const [theirs, ours] = [await openTheirs(round, amount), openOurs(round, amount)]
    const from = library.slatepack.parseAddress(theirs.address, 'grin')
    const { slate, pending } = library.send.createS1({
      amount,
      spend: ours.spend(),
      ...(dice.chance(0.3) && { ttl: BigInt(TIP + dice.upTo(1000)) }),
      ...(dice.chance(0.5) && { proof: { recipient: from, seed: ours.seed } }),
    })
    const question = await toTheirs(round, slate, theirs.address, ours)
    const s2 = okOf<Step>(await theirs.step('receive', { ...question, ...(dice.chance(0.5) && { to: ours.address }) }))
    const answer = await fromTheirs(round, s2, ours)
    const final = await library.send.finalizeS2({ keychain: ours.keychain, pending, slate: answer })
    await checkFinal(round, JSON.stringify(library.tx.transactionJson(final.transaction)), final.excess)
    await checkWritten(round, final.slate)
    if (final.proof) await checkProof(round, JSON.stringify(library.proof.paymentProofJson(final.proof, 'grin')))
    await theirs.forget()
  },
}

/** Their reader finds in our last slate what we wrote. */
async function checkWritten({ library, ask, same }: Round, slate: Slate): Promise<void> {
  const ours = { json: library.slate.formatSlateJson(slate), binary: toHex(library.slate.encodeSlate(slate)) }
  same('our last slate read', await ask('read-slate', { binary: ours.binary }), { ok: ours })
}

export const theyPayInvoiceFamily: Family = {
  name: 'grin-wallet pays our invoice',
  weight: 1.5,
  async run(round) {
    const { dice, library } = round
    const amount = amountOf(round)
    const [theirs, ours] = [await openTheirs(round, amount), openOurs(round, amount)]
    const { keychain, account, keyIndex } = ours
    const { slate, invoice } = await library.invoice.issueInvoice({ keychain, amount, account, keyIndex })
    const question = await toTheirs(round, slate, theirs.address, ours)
    const to = dice.chance(0.5) ? { to: ours.address } : {}
    const i2 = await fromTheirs(
      round,
      okOf<Step>(await theirs.step('pay', { ...question, ...spending(round), ...to })),
      ours,
    )
    const final = await library.invoice.finalizeInvoice({ keychain, invoice, slate: i2, tip: TIP })
    await checkRewind(round, ours.entropy, invoice)
    await checkFinal(round, JSON.stringify(library.tx.transactionJson(final.transaction)), final.excess)
    await checkWritten(round, final.slate)
    await theirs.forget()
  },
}

export const wePayInvoiceFamily: Family = {
  name: "we pay grin-wallet's invoice",
  weight: 1.5,
  async run(round) {
    const { dice, library, same } = round
    const amount = amountOf(round)
    const [theirs, ours] = [await openTheirs(round, amount), openOurs(round, amount)]
    const issued = okOf<Step>(
      await theirs.step('issue', { amount: `${amount}`, ...(dice.chance(0.5) && { to: ours.address }) }),
    )
    const i1 = await fromTheirs(round, issued, ours)
    const ttl = dice.chance(0.3) ? { ttl: BigInt(TIP + dice.upTo(1000)) } : {}
    const { slate } = await library.invoice.payI1({ keychain: ours.keychain, slate: i1, spend: ours.spend(), ...ttl })
    const final = okOf<Step>(await theirs.step('finalize', await toTheirs(round, slate, theirs.address, ours)))
    const [payee, payer] = [i1.participants[0]!, slate.participants[0]!]
    const keySum = library.crypto.sumPublicKeys([payee.excess, payer.excess])
    await checkFinal(round, final.transaction!, library.crypto.publicKeyToCommitment(keySum))
    checkSlate(round, final)
    same('no proof is exported', final.proof, undefined)
    await theirs.forget()
  },
}
