// test/vectors/wallet: whole exchanges of grin-wallet 5.4.1, replayed with their secrets, byte for byte.
import { crypto, invoice, keychain, proof, receive, send, slate, tx } from '@grinpay/grin'
import { bytes, codeOf, concat, given, hex } from './check.mjs'
import { hasSigned, offsetAfter, participantOf, sessionOf, signed, transactionOf } from './signing.mjs'
import { walletOf } from './wallet.mjs'

const { decodeSlate, encodeSlate, formatSlateJson, parseSlateJson } = slate
const TIP = 3_000_000
const ZERO = new Uint8Array(32)

const coin = ({ identifier, value }) => ({ identifier: bytes(identifier), value: BigInt(value) })
const spendOf = ({ inputs, outputs }, fee) => ({ coins: inputs.map(coin), change: outputs.map(coin), fee: BigInt(fee) })
const packed = ({ sec_key, sec_nonce }) => concat(bytes(sec_key), bytes(sec_nonce))
const keyIndexOf = ({ identifier }) => Number.parseInt(identifier.slice(18, 26), 16)
const blindsAt = (keys, coins) => coins.map(({ identifier, value }) => keys.outputBlind(identifier, value))
const outputAt = (keys, { identifier, value }) => {
  const input = keys.proofInput(identifier, value)
  return { coinbase: false, commitment: input.commitment, proof: crypto.proveRange(input) }
}

/** A first slate, S1 or I1. */
const firstSlate = (state, { headerVersion, id, ttl }, members) => ({
  headerVersion,
  id,
  state,
  offset: ZERO,
  numParts: 2,
  fee: 0n,
  features: 0,
  ttl,
  ...members,
})

const s1Case = (run) => () => {
  const s1 = decodeSlate(bytes(run.s1.bin))
  const { secrets } = run.sender
  const made = firstSlate('S1', s1, {
    amount: BigInt(secrets.amount),
    fee: BigInt(secrets.fee_fields),
    participants: [participantOf(secrets)],
    ...given({ proof: s1.proof }),
  })
  return [encodeSlate(made), run.s1.bin]
}

const s2Case = (run) => () => {
  const [keys, s1] = [walletOf(run.receiver_mnemonic), decodeSlate(bytes(run.s1.bin))]
  const { secrets, output, offset_after, sums_over_both_participants: sums, payment_proof } = run.receiver
  const addresses = receive.ownAddresses(keys, { indices: [0, 7] })
  const refusal = receive.checkS1(s1, { tip: TIP, addresses, amount: s1.amount })
  const at = { identifier: keychain.outputIdentifier(0, keyIndexOf(output)), value: s1.amount }
  const session = sessionOf(s1, [...s1.participants, participantOf(secrets)])
  const excess = crypto.publicKeyToCommitment(session.keySum)
  const named = s1.proof && addresses.find(({ publicKey }) => hex(publicKey) === hex(s1.proof.receiver))
  const content = s1.proof && { amount: s1.amount, excess, sender: s1.proof.sender }
  const signature = named && proof.makeReceiverProof(content, keys.addressSeed(0, named.index)).signature
  const s2 = {
    ...s1,
    state: 'S2',
    amount: 0n,
    fee: 0n,
    offset: offsetAfter(s1.offset, secrets, { outputs: blindsAt(keys, [at]) }),
    participants: [signed(secrets, session)],
    commitments: [outputAt(keys, at)],
    ...(s1.proof && { proof: { ...s1.proof, signature } }),
  }
  return [
    [
      refusal,
      s2.commitments[0].commitment,
      excess,
      s2.offset,
      content && proof.paymentProofMessage(content),
      encodeSlate(s2),
      formatSlateJson(s2),
    ],
    [
      undefined,
      output.commit,
      sums.excess_commitment,
      offset_after,
      payment_proof?.message,
      run.s2.bin,
      run.s2.json_text,
    ],
  ]
}

const s3Case = (run) => async () => {
  const [keys, s1] = [walletOf(run.sender_mnemonic), decodeSlate(bytes(run.s1.bin))]
  const { secrets, address_index = 0 } = run.sender
  const pending = {
    slate: s1,
    spend: spendOf(secrets, secrets.fee_fields),
    secrets: packed(secrets),
    ...(s1.proof && { proofSeed: keys.addressSeed(0, address_index) }),
  }
  const done = await send.finalizeS2({ keychain: keys, pending, slate: decodeSlate(bytes(run.s2.bin)) })
  const expected = [run.s3.bin, run.final.kernel_excess, run.final.tx, s1.proof !== undefined]
  return [[done.bytes, done.excess, tx.transactionJson(done.transaction), done.proof !== undefined], expected]
}

/** Bytes and hashes of a final transaction. */
const finalCase = (transaction, final) => async () => {
  const shape = tx.shapeOfTransaction(transaction)
  const versions = [1, 2, 3].filter((version) => final[`tx_bin_v${version}`])
  const known = Object.fromEntries(
    ['tx_hash', 'kernel_hash'].filter((name) => final[name]).map((name) => [name, final[name]]),
  )
  const hashes = { tx_hash: tx.transactionHash(transaction), kernel_hash: tx.kernelHash(transaction.kernels[0]) }
  return [
    [
      tx.transactionJson(transaction),
      tx.transactionJson(tx.parseTransactionJson(final.tx)),
      versions.map((version) => tx.encodeTransaction(transaction, version)),
      Object.fromEntries(Object.keys(known).map((name) => [name, hashes[name]])),
      [transaction.kernels[0].excess, transaction.kernels[0].signature],
      [tx.transactionWeight(shape), `${tx.minimumFee(shape)}`],
      (await tx.validateTransaction(transaction)) ?? 'valid',
    ],
    [
      final.tx,
      final.tx,
      versions.map((version) => final[`tx_bin_v${version}`]),
      known,
      [final.kernel_excess, final.kernel_sig_raw],
      [final.weight, final.accept_fee],
      'valid',
    ],
  ]
}

const HEIGHT_LOCKED = 'height locked kernel (a receiver may refuse it)'

const standardCases = ({ runs, through_the_wallet_api }) =>
  [...runs, ...through_the_wallet_api].flatMap((run) => {
    const refusal = () => [receive.checkS1(decodeSlate(bytes(run.s1.bin)), { tip: TIP }).code, 'S1_FEATURES']
    const [lockedHere, sends] = [run.name === HEIGHT_LOCKED, run.sender && !run.name.startsWith('height locked')]
    return [
      ...(sends
        ? [
            [`S1 ${run.name}`, s1Case(run)],
            [`S3 ${run.name}`, s3Case(run)],
          ]
        : []),
      ...(run.receiver ? [[`S2 ${run.name}`, lockedHere ? refusal : s2Case(run)]] : []),
      [`transaction ${run.name}`, finalCase(transactionOf(decodeSlate(bytes(run.s3.bin))), run.final)],
    ]
  })

/** The invoice of a recorded I1, as a wallet stores it. */
function openInvoice(run) {
  const keys = walletOf(run.issuer_mnemonic)
  const { secrets } = run.issuer
  const at = coin(secrets.outputs[0])
  const { commitment, proof: rangeProof } = outputAt(keys, at)
  const { id: slateId } = decodeSlate(bytes(run.i1.bin))
  const stored = {
    slateId,
    amount: at.value,
    identifier: at.identifier,
    commitment,
    rangeProof,
    secrets: packed(secrets),
  }
  return { keychain: keys, invoice: stored, slate: decodeSlate(bytes(run.i2.bin)), tip: TIP }
}

const i1Case = (run) => () => {
  const { secrets } = run.issuer
  const made = firstSlate('I1', decodeSlate(bytes(run.i1.bin)), {
    amount: BigInt(secrets.outputs[0].value),
    participants: [participantOf(secrets)],
  })
  return [encodeSlate(made), run.i1.bin]
}

const i2Case = (run) => () => {
  const [keys, i1, recorded] = [
    walletOf(run.payer_mnemonic),
    ...[run.i1, run.i2].map(({ bin }) => decodeSlate(bytes(bin))),
  ]
  const { secrets } = run.payer
  const spend = spendOf(secrets, recorded.fee)
  const asked = { ...i1, fee: spend.fee }
  const inputs = spend.coins.map((one, i) => ({
    coinbase: recorded.commitments.filter(({ proof: range }) => !range)[i].coinbase,
    commitment: keys.commitOutput(one.identifier, one.value),
  }))
  const body = tx.transactionBody([...inputs, ...spend.change.map((one) => outputAt(keys, one))])
  const blinds = { inputs: blindsAt(keys, spend.coins), outputs: blindsAt(keys, spend.change) }
  const i2 = {
    ...asked,
    state: 'I2',
    amount: 0n,
    ttl: recorded.ttl,
    offset: offsetAfter(i1.offset, secrets, blinds),
    participants: [signed(secrets, sessionOf(asked, [...i1.participants, participantOf(secrets)]))],
    commitments: tx.commitmentsOf(body),
  }
  return [encodeSlate(i2), run.i2.bin]
}

const i3Case = (run) => async () => {
  const { slate: i3, bytes: made, transaction, excess } = await invoice.finalizeInvoice(openInvoice(run))
  const { final } = run
  return [
    [made, formatSlateJson(i3), tx.transactionJson(transaction), tx.transactionHash(transaction), excess],
    [run.i3.bin, run.i3.json_text, final.tx, final.tx_hash, final.kernel_excess],
  ]
}

const flip = (value, at) => value.map((byte, i) => (i === at ? byte ^ 1 : byte))
const keep = (one, kept) => ({ ...one, commitments: one.commitments.filter(kept) })

/** The alterations that the vector names, and what the library says to them. */
const ALTERED = {
  'unchanged (accepted)': [(one) => one, 'ok'],
  'payer signature changed': [
    ({ participants: [payer], ...one }) => ({ ...one, participants: [{ ...payer, part: flip(payer.part, 40) }] }),
    'I2_SIGNATURE',
  ],
  'payer signature missing': [
    ({ participants: [{ excess, nonce }], ...one }) => ({ ...one, participants: [{ excess, nonce }] }),
    'I2_UNSIGNED',
  ],
  'offset changed': [(one) => ({ ...one, offset: flip(one.offset, 31) }), 'TX_KERNEL_SUM'],
  'fee changed after signing': [(one) => ({ ...one, fee: one.fee + 1n }), 'I2_SIGNATURE'],
  'fee missing': [(one) => ({ ...one, fee: 0n }), 'I2_FEE_TOO_LOW'],
  'an input dropped': [(one) => keep(one, ({ proof: range }) => range), 'I2_INPUTS'],
  'change output dropped': [(one) => keep(one, ({ proof: range }) => !range), 'TX_KERNEL_SUM'],
  'commitments in reverse order': [(one) => ({ ...one, commitments: [...one.commitments].reverse() }), 'ok'],
  'no commitments': [({ commitments: _, ...one }) => one, 'I2_INPUTS'],
  'kernel made height locked after signing': [(one) => ({ ...one, features: 2, lockHeight: 9n }), 'I2_FEATURES'],
  'state S2': [(one) => ({ ...one, state: 'S2' }), 'I2_STATE'],
  'state I1': [(one) => ({ ...one, state: 'I1' }), 'I2_STATE'],
  'other id': [(one) => ({ ...one, id: '00000000-0000-4000-8000-000000000000' }), 'I2_UNKNOWN'],
  'amount set to something else (ignored)': [(one) => ({ ...one, amount: 5n }), 'ok'],
  'ttl in the past': [(one) => ({ ...one, ttl: 3_000_000n }), 'I2_EXPIRED'],
  'payer participant twice': [
    ({ participants: [payer], ...one }) => ({ ...one, participants: [payer, payer] }),
    'I2_PARTICIPANTS',
  ],
}

const CRAFTED = {
  'fee one below the minimum': 'I2_FEE_TOO_LOW',
  "minimum fee with fee shift 4 (a node's pool wants 16 times as much)": 'I2_FEE_TOO_LOW',
  'height locked kernel': 'I2_FEATURES',
  'two inputs with the minimum fee of one input': 'I2_FEE_TOO_LOW',
}

const invoiceCases = ({ runs, through_the_wallet_api, altered_i2, crafted_i2 }) => [
  ...[...runs, ...through_the_wallet_api].flatMap((run) => [
    [`I1 ${run.name}`, i1Case(run)],
    [`I2 ${run.name}`, i2Case(run)],
    [`I3 ${run.name}`, i3Case(run)],
    [`transaction ${run.name}`, finalCase(transactionOf(decodeSlate(bytes(run.i3.bin))), run.final)],
  ]),
  ...altered_i2.map(({ case: name, result }) => [
    `altered: ${name}`,
    async () => {
      const [input, [alter, expected]] = [openInvoice(runs[0]), ALTERED[name]]
      const code = await codeOf(() => invoice.finalizeInvoice({ ...input, slate: alter(input.slate) }))
      return [
        [code, code === 'ok'],
        [expected, result.ok],
      ]
    },
  ]),
  ...crafted_i2.map(({ case: name, i2 }) => [
    `crafted: ${name}`,
    () => {
      const read = parseSlateJson(i2)
      const open = { slateId: read.id, commitment: new Uint8Array(33) }
      return [invoice.checkI2(read, { invoice: open, tip: TIP })?.code, CRAFTED[name]]
    },
  ]),
]

/** Calls whose slate cannot be read. */
const UNREADABLE = /does not parse|slate as text|non-hex offset|bad_slate/

/** Where the library refuses what grin-wallet takes or words otherwise, as test/grin/receive/foreign-calls.test.ts has it. */
const REFUSED = {
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
  receive_tx_zero_amount: 'S1_ZERO_AMOUNT',
  receive_tx_wrong_state: 'S1_STATE',
  receive_tx_expired: 'S1_EXPIRED',
  receive_tx_expired_before_refresh: 'S1_EXPIRED',
}

/** Whether a recorded S2 pays the amount, is signed, and holds the payment proof that was asked for. */
export function replyFacts(s1, s2, keys) {
  const session = sessionOf(s1, [...s1.participants, ...s2.participants])
  const [{ commitment, proof: range }] = s2.commitments
  const { sender, receiver: recipient, signature } = s2.proof ?? {}
  const excess = crypto.publicKeyToCommitment(session.keySum)
  const receipt = s2.proof && { amount: s1.amount, excess, sender, recipient, signature }
  return {
    value: keys.rewindOutput(commitment, range)?.value === s1.amount,
    signed: hasSigned(s2.participants[0], session),
    proved: receipt ? proof.verifyReceiverProof(receipt) : s1.proof === undefined,
    same: hex(encodeSlate(decodeSlate(encodeSlate(s2)))) === hex(encodeSlate(s2)),
  }
}

const RIGHT_REPLY = { value: true, signed: true, proved: true, same: true }

const receiveCall =
  (name, json, answer, { keys, tip }) =>
  async () => {
    if (UNREADABLE.test(name))
      return [await codeOf(() => parseSlateJson(json)), typeof json === 'string' ? 'ok' : 'SLATE_INVALID']
    const s1 = parseSlateJson(json)
    const code = receive.checkS1(s1, { tip, addresses: receive.ownAddresses(keys) })?.code
    const rightReply = answer && !REFUSED[name] ? RIGHT_REPLY : undefined
    const facts = rightReply && replyFacts(s1, parseSlateJson(answer), keys)
    return [
      [code, parseSlateJson(formatSlateJson(s1)), facts],
      [REFUSED[name], s1, rightReply],
    ]
  }

const finalizeCall =
  (json, answer, { tip }) =>
  () => {
    const read = parseSlateJson(json)
    const open = { slateId: '0436430c-2b02-624c-2032-570501212b08', commitment: new Uint8Array(33) }
    const known = read.id === open.slateId ? undefined : 'I2_UNKNOWN'
    const printed = answer && JSON.parse(formatSlateJson(parseSlateJson(answer)))
    const code = invoice.checkI2(read, { invoice: open, tip })?.code
    return [
      [code, printed],
      [read.state === 'I2' ? known : 'I2_STATE', answer],
    ]
  }

/** Recorded calls of a wallet's Foreign API. */
export const foreignCases = (calls, wallet) =>
  calls.flatMap(({ name, request, response }) => {
    const json = request?.params?.slate ?? request?.params?.[0]
    const answer = response?.result?.Ok
    if (request?.method === 'receive_tx') return [[name, receiveCall(name, json, answer, wallet)]]
    return request?.method === 'finalize_tx' ? [[name, finalizeCall(json, answer, wallet)]] : []
  })

export const runsChecks = {
  'wallet/foreign_rpc.json': ({ calls, receiver_mnemonic }) =>
    foreignCases(
      calls.map((call) => ({ ...call, name: call.case })),
      { keys: walletOf(receiver_mnemonic), tip: TIP },
    ),
  'wallet/run_invoice.json': invoiceCases,
  'wallet/run_standard.json': standardCases,
}
