// test/vectors/real over the public functions: what unmodified grin 5.5.2 and grin-wallet 5.5.1 said to each other on a private chain.
import { crypto, invoice, proof, receive, slate, slatepack, tx } from '@grinpay/grin'
import { base64, bytes, codeOf } from './check.mjs'
import { foreignCases, replyFacts } from './runs.mjs'
import { hasSigned, sessionOf, transactionOf } from './signing.mjs'
import { walletOf } from './wallet.mjs'

const PACKED = {
  'standard-plain': ['S1', 'S2', 'S3'],
  'standard-encrypted-proof': ['S1', 'S2', 'S3'],
  'standard-encrypted-ttl': ['S1', 'S2', 'S3'],
  'standard-many-inputs': ['S1', 'S2', 'S3'],
  'invoice-plain': ['I1', 'I2', 'I3'],
  'invoice-encrypted': ['I1', 'I2', 'I3'],
}
/** The exchanges over the Foreign API have JSON only. */
const SPOKEN = { 'foreign-receive': ['S1', 'S2', 'S3'], 'foreign-finalize': ['I1', 'I2', 'I3'] }
/** Where the transaction that the node took is recorded. */
const TAKEN = { 'foreign-receive': 'transaction.json', 'foreign-finalize': 'pool-after.json' }
/** The last slates of the invoices were passed on without an envelope in JSON. */
const hasEnvelope = (name) => !/^invoice.*I3$/.test(name)

/** Files that the cases of another file read. */
export const REAL_COMPANIONS = [
  'real/wallets.json',
  ...Object.entries(PACKED).flatMap(([folder, states]) => [
    ...states.flatMap((state) => [`real/${folder}/${state}.json`]),
    ...states
      .map((state) => `${folder}/${state}`)
      .filter(hasEnvelope)
      .map((name) => `real/${name}.slatepack.json`),
    `real/${folder}/pool-entry.json`,
    `real/${folder}/get_kernel.json`,
  ]),
  ...Object.entries(SPOKEN).flatMap(([folder, states]) => states.map((state) => `real/${folder}/${state}.json`)),
  'real/foreign-receive/transaction.json',
  'real/foreign-finalize/pool-after.json',
]

function walletsIn(read) {
  const { wallets } = read('real/wallets.json')
  const [miner, bob] = [wallets.miner, wallets.bob].map(({ mnemonic }) => walletOf(mnemonic))
  return { miner, bob, wallets }
}

const walletCases = ({ wallets }) =>
  Object.entries(wallets).map(([name, known]) => [
    `keys of ${name}`,
    () => {
      const keys = walletOf(known.mnemonic)
      const seed = keys.addressSeed(0, 0)
      return [
        [seed, slatepack.formatAddress('tgrin', slatepack.addressOfSeed(seed)), keys.rewindHash],
        [known.slatepack_secret_key_index0, known.slatepack_address, known.rewind_hash],
      ]
    },
  ])

const packCase = (name, text, read) => async () => {
  const { miner, bob } = walletsIn(read)
  const decryptWith = [miner, bob].map((keys) => keys.addressSeed(0, 0))
  const opened = await slatepack.readSlatepack(text, { prefix: 'tgrin', decryptWith })
  const json = read(`real/${name}.json`)
  const envelope = hasEnvelope(name) ? read(`real/${name}.slatepack.json`) : undefined
  const binary = slatepack.dearmor(text)
  return [
    [
      JSON.parse(slate.formatSlateJson(opened.slate)),
      slate.encodeSlate(opened.slate),
      slate.parseSlateJson(json),
      envelope && base64(opened.bytes),
      envelope?.sender && slatepack.formatAddress('tgrin', opened.sender),
      slatepack.armor(binary),
      slatepack.encodeEnvelope(slatepack.decodeEnvelope(binary, 'tgrin'), 'tgrin'),
    ],
    [json, opened.bytes, opened.slate, envelope?.payload, envelope?.sender, text, binary],
  ]
}

const slatesOf = (folder, states, read) =>
  states.map((state) => slate.parseSlateJson(read(`real/${folder}/${state}.json`)))

const standardCase = (folder, states, read) => () => {
  const { bob } = walletsIn(read)
  const [s1, s2] = slatesOf(folder, states, read)
  const tip = s1.ttl === 0n ? 1_000_000 : Number(s1.ttl) - 1
  const rules = { tip, addresses: receive.ownAddresses(bob), amount: s1.amount }
  const late = receive.checkS1(s1, { ...rules, tip: tip + 1 })?.code
  const content = s1.proof && { amount: s1.amount, sender: s1.proof.sender }
  const { keySum } = sessionOf(s1, [...s1.participants, ...s2.participants])
  const excess = crypto.publicKeyToCommitment(keySum)
  const again = content && proof.makeReceiverProof({ ...content, excess }, bob.addressSeed(0, 0)).signature
  return [
    [receive.checkS1(s1, rules), late, replyFacts(s1, s2, bob), again],
    [
      undefined,
      s1.ttl > 0n ? 'S1_EXPIRED' : undefined,
      { value: true, signed: true, proved: true, same: true },
      s2.proof?.signature,
    ],
  ]
}

const invoiceCase = (folder, states, read) => () => {
  const { bob } = walletsIn(read)
  const [i1, i2, i3] = slatesOf(folder, states, read)
  const own = i3.commitments.find(({ commitment, proof: range }) => range && bob.rewindOutput(commitment, range))
  const open = { slateId: i1.id, commitment: own.commitment }
  const session = sessionOf(i2, [...i2.participants, ...i1.participants])
  const value = bob.rewindOutput(own.commitment, own.proof).value
  return [
    [value, invoice.checkI2(i2, { invoice: open }), hasSigned(i2.participants[0], session)],
    [i1.amount, undefined, true],
  ]
}

const transactionCase = (folder, states, read) => async () => {
  const made = transactionOf(slatesOf(folder, states, read).at(-1))
  const file = read(`real/${folder}/${TAKEN[folder] ?? 'pool-entry.json'}`)
  const recorded = file.tx ?? file[0]?.tx ?? file
  const kernel = TAKEN[folder] ? undefined : read(`real/${folder}/get_kernel.json`).ok.tx_kernel
  return [
    [
      tx.transactionJson(made),
      tx.parseTransactionJson(recorded),
      (await tx.validateTransaction(made)) ?? 'valid',
      kernel && tx.parseKernelJson(kernel),
    ],
    [recorded, made, 'valid', kernel && made.kernels[0]],
  ]
}

const exchangeCases = (folder, states) => (_, read) => [
  [
    `${folder}, judged`,
    (folder.startsWith('invoice') || folder === 'foreign-finalize' ? invoiceCase : standardCase)(folder, states, read),
  ],
  [`${folder}, its transaction`, transactionCase(folder, states, read)],
]

const excessCases = (runs, read) =>
  Object.entries(runs).map(([folder, { kernel_excess, height }]) => [
    folder,
    () => {
      const final = slatesOf(folder, PACKED[folder], read).at(-1)
      return [
        [transactionOf(final).kernels[0].excess, read(`real/${folder}/get_kernel.json`).ok.height],
        [kernel_excess, height],
      ]
    },
  ])

const REWARD = 60_000_000_000n

/** Blocks are printed with signatures in raw order, unlike every other JSON. */
const kernelOf = ({ features, fee, fee_shift, excess, excess_sig }) => ({
  features:
    features === 'Coinbase'
      ? { kind: 'coinbase' }
      : { kind: 'plain', fee: tx.feeField(BigInt(fee), BigInt(fee_shift)) },
  excess: bytes(excess),
  signature: bytes(excess_sig),
})
const outputOf = ({ output_type, commit, proof: range }) => ({
  coinbase: output_type === 'Coinbase',
  commitment: bytes(commit),
  proof: bytes(range),
})
const offsetIn = ({ header }) => crypto.scalarFromBytes(bytes(header.total_kernel_offset))
const offsetBetween = (later, earlier) => crypto.scalarToBytes(crypto.blindSum([offsetIn(later)], [offsetIn(earlier)]))
const isSigned = ({ features, excess, signature }) =>
  crypto.verifySignature({
    signature,
    publicKey: crypto.commitmentToPublicKey(excess),
    message: tx.kernelMessage(features),
  })

const blockCases = (blocks) =>
  blocks.slice(1).map((block, i) => [
    `block ${block.header.height}`,
    () => {
      const [outputs, kernels] = [block.outputs.map(outputOf), block.kernels.map(kernelOf)]
      const inputs = block.inputs.map((commit) => ({ coinbase: false, commitment: bytes(commit) }))
      const sums = {
        inputs,
        outputs,
        excesses: kernels.map(({ excess }) => excess),
        offset: offsetBetween(block, blocks[i]),
        fees: 0n,
      }
      return [
        [
          kernels.every(isSigned),
          [REWARD, REWARD + 1n].map((created) => tx.kernelSumsBalance({ ...sums, created })),
          outputs.map(({ commitment, proof: range }) => crypto.verifyRange(commitment, range)),
          outputs,
        ],
        [true, [true, false], outputs.map(() => true), tx.sortByHash(outputs)],
      ]
    },
  ])

const unspentCases = ({ outputs }, read) => [
  [
    'all unspent outputs are what was mined',
    () => {
      const blocks = read('real/chain/blocks.json')
      const excesses = blocks.slice(1).flatMap(({ kernels }) => kernels.map(({ excess }) => bytes(excess)))
      const whole = {
        inputs: [],
        outputs: outputs.map(outputOf),
        excesses,
        offset: offsetBetween(blocks.at(-1), blocks[0]),
        fees: 0n,
      }
      return [tx.kernelSumsBalance({ ...whole, created: REWARD * BigInt(blocks.length - 1) }), true]
    },
  ],
]

/** Every output is found by its owner alone; the first twelve are proved again to the same bytes. */
const ownOutputCases = (name) => (outputs, read) => {
  const { [name]: own, [name === 'bob' ? 'miner' : 'bob']: other } = walletsIn(read)
  return outputs.map(({ key_id, value, commit, proof: range }, i) => [
    `output of ${name} ${commit}`,
    () => {
      const [at, parts] = [
        [bytes(key_id), BigInt(value)],
        [bytes(commit), bytes(range)],
      ]
      const again = i < 12 ? crypto.proveRange(own.proofInput(...at)) : range
      return [
        [own.rewindOutput(...parts), other.rewindOutput(...parts) ?? null, own.commitOutput(...at), again],
        [{ identifier: key_id, value: at[1], switchType: 'regular' }, null, commit, range],
      ]
    },
  ])
}

const exportedProofCases = (exported) => [
  [
    'an exported proof verifies, on its own chain only',
    async () => {
      const parsed = proof.parsePaymentProof(exported, 'tgrin')
      proof.checkPaymentProof(parsed)
      const elsewhere = await codeOf(() => proof.parsePaymentProof(exported, 'grin'))
      return [
        [proof.paymentProofJson(parsed, 'tgrin'), elsewhere],
        [exported, 'PROOF_INVALID'],
      ]
    },
  ],
]

const storedCases = (stored) => [
  [
    'a stored slate without signatures',
    () => [JSON.parse(slate.formatSlateJson(slate.parseSlateJson(stored))), stored],
  ],
]

const spokenCases = (calls, read) => {
  const named = Object.entries(calls).map(([name, call]) => ({ name, ...call }))
  return foreignCases(named, { keys: walletsIn(read).bob, tip: 22 })
}

const packChecks = Object.entries(PACKED).flatMap(([folder, states]) =>
  states.map((state) => {
    const name = `${folder}/${state}`
    return [`real/${name}.slatepack`, (text, read) => [[name, packCase(name, text, read)]]]
  }),
)
/** The cases of an exchange stand under its first slate. */
const exchangeChecks = Object.entries({ ...PACKED, ...SPOKEN }).map(([folder, states]) => [
  `real/${folder}/${states[0]}.json`,
  exchangeCases(folder, states),
])

export const realChecks = {
  'real/wallets.json': walletCases,
  'real/runs.json': excessCases,
  ...Object.fromEntries([...packChecks, ...exchangeChecks]),
  'real/foreign-receive/stored-tx-slate.json': storedCases,
  'real/payment-proof/proof.json': exportedProofCases,
  'real/rpc/wallet-foreign.json': spokenCases,
  'real/wallet-state/bob-output-proofs.json': ownOutputCases('bob'),
  'real/wallet-state/miner-output-proofs.json': ownOutputCases('miner'),
  'real/chain/blocks.json': blockCases,
  'real/chain/get_unspent_outputs.json': unspentCases,
}
