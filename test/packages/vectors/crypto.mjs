// test/vectors/crypto over the public functions: answers of the C library that Grin uses.
import { crypto, keychain, tx } from '@grinpay/grin'
import { bytes, codeOf, given, hex, optional, scalar } from './check.mjs'

const { commit, scalarToBytes, signPartial, sumPublicKeys, verifyPartial, verifySignature } = crypto
const blindHex = (value) => hex(scalarToBytes(value))

/** What `make` answers, or the code of its error, as the vector has it: `undefined` where the C library refuses. */
const answer = async (make) => ((await codeOf(make)) === 'ok' ? make() : undefined)

/** A list of `cases`, each compared as `compare` says. */
const each = (compare, name = (_, i) => `case ${i}`) => {
  return ({ cases }) => cases.map((one, i) => [name(one, i), () => compare(one)])
}

const commitment = async ({ value, blind, commit: expected, pubkey, ok }) => {
  const made = await answer(() => commit(BigInt(value), scalar(blind)))
  if (!ok) return [made, undefined]
  const forms = [made, crypto.commitmentToPublicKey(made), crypto.publicKeyToCommitment(bytes(pubkey))]
  const kinds = [crypto.isCommitment(made), crypto.isPublicKey(made), crypto.isPublicKey(bytes(pubkey))]
  return [
    [forms, kinds],
    [
      [expected, pubkey, expected],
      [true, false, true],
    ],
  ]
}

const commitmentSum = async ({ ok, pos, neg, commit: expected }) => {
  const [plus, minus] = [pos.map(bytes), neg.map(bytes)]
  const made = await answer(() => crypto.sumCommitments(plus, minus))
  return [
    [made, crypto.commitmentsBalance(plus, minus)],
    [ok ? expected : undefined, !ok],
  ]
}

const blindSum = async ({ ok, pos, neg, sum }) => {
  const made = await answer(() => crypto.blindSum(pos.map(scalar), neg.map(scalar)))
  return [made === undefined ? undefined : scalarToBytes(made), ok ? sum : undefined]
}

const publicKeySum = async ({ ok, sks, keys, pubkey }) => {
  const own = sks.map((one) => crypto.compressedPublicKey(scalar(one)))
  return [
    [own, await answer(() => sumPublicKeys(keys.map(bytes)))],
    [keys, ok ? pubkey : undefined],
  ]
}

const switched = async ({ ok, value, blind, switch_blind, switch_commit }) => {
  const made = await answer(() => crypto.switchBlind(BigInt(value), scalar(blind)))
  if (!ok) return [made, undefined]
  return [
    [scalarToBytes(made), commit(BigInt(value), made)],
    [switch_blind, switch_commit],
  ]
}

const balance = (one) => {
  const made = ['output', 'change', 'input'].map((name) => {
    const value = name === 'output' ? one.amount : one[`${name}_value`]
    return commit(BigInt(value), scalar(one[`${name}_blind`]))
  })
  const offset = crypto.blindSum([scalar(one.output_blind)], [scalar(one.receiver_excess_key)])
  const outputs = [bytes(one.output), bytes(one.change), commit(BigInt(one.fee), 0n)]
  const rest = [bytes(one.input), bytes(one.excess), commit(0n, scalar(one.offset))]
  const verdicts = [crypto.commitmentsBalance(outputs, rest), crypto.commitmentsBalance(outputs.slice(1), rest)]
  return [
    [made, scalarToBytes(offset), verdicts],
    [[one.output, one.change, one.input], one.receiver_offset, [true, false]],
  ]
}

const rangeProof = (one) => {
  const [privateNonce, message, extra] = [one.private_nonce, one.message, one.extra].map(optional)
  const [value, blind, rewindNonce] = [BigInt(one.value), scalar(one.blind), bytes(one.rewind_nonce)]
  const proof = crypto.proveRange({ value, blind, rewindNonce, ...given({ privateNonce, message, extra }) })
  const made = commit(value, blind)
  const rewound = crypto.rewindRange(made, proof, rewindNonce, extra)
  return [
    [made, proof, crypto.verifyRange(made, proof, extra), rewound],
    [one.commit, one.proof, true, { value, message: one.rewound.message }],
  ]
}

const badRangeProof = ({ commit: committed, proof, extra, nonce, verify, rewound }) => {
  const parts = [bytes(committed), bytes(proof)]
  const found = crypto.rewindRange(...parts, bytes(nonce), optional(extra))
  const expected = rewound && { value: BigInt(rewound.value), message: rewound.message }
  return [
    [crypto.verifyRange(...parts, optional(extra)), found ?? null],
    [verify, expected],
  ]
}

const nonce = ({ seed, secnonce, pubnonce }) => {
  const made = crypto.secureNonce(bytes(seed))
  return [
    [scalarToBytes(made.secret), made.public],
    [secnonce, pubnonce],
  ]
}

/** A case without a key in the challenge is left out: the library's signatures always have one. */
const singles = ({ cases }) =>
  cases
    .filter(({ pubkey_for_e }) => pubkey_for_e !== null)
    .map((one, i) => [
      `case ${i}`,
      () => {
        const session = { nonceSum: bytes(one.pubnonce), keySum: bytes(one.pubkey_for_e), message: bytes(one.msg) }
        const signature = signPartial({ ...session, secretKey: scalar(one.sk), secretNonce: scalar(one.secnonce) })
        const publicKey = bytes(one.pubkey)
        return [
          [
            signature,
            crypto.rawToCompact(signature),
            crypto.compressedPublicKey(scalar(one.sk)),
            verifyPartial({ ...session, signature, publicKey }),
            verifySignature({ signature, publicKey, message: session.message }),
          ],
          [one.sig, one.compact, one.pubkey, true, one.pubkey_for_e === one.pubkey],
        ]
      },
    ])

const kernelSignature = (one) => {
  const [keySum, nonceSum] = [sumPublicKeys(one.pubkeys.map(bytes)), sumPublicKeys(one.pubnonces.map(bytes))]
  const session = { nonceSum, keySum, message: bytes(one.msg) }
  const partials = one.sks.map((key, i) =>
    signPartial({ ...session, secretKey: scalar(key), secretNonce: scalar(one.secnonces[i]) }),
  )
  const verdicts = partials.map((signature, i) =>
    verifyPartial({ ...session, signature, publicKey: bytes(one.pubkeys[i]) }),
  )
  const final = crypto.addSignatures(partials, nonceSum)
  return [
    {
      sums: [keySum, nonceSum, crypto.publicKeyToCommitment(keySum)],
      partials,
      compact: [...partials, final].map(crypto.rawToCompact),
      verdicts,
      final,
      back: crypto.compactToRaw(bytes(one.final_compact)),
      signed: verifySignature({ signature: final, publicKey: keySum, message: session.message }),
    },
    {
      sums: [one.pubkey_sum, one.pubnonce_sum, one.excess_commit],
      partials: one.partials,
      compact: [...one.partials_compact, one.final_compact],
      verdicts: one.partials.map(() => true),
      final: one.final,
      back: one.final,
      signed: true,
    },
  ]
}

/** Where the vector has no key sum, the key itself stands for it. */
const badSignature = (bad) => {
  const [signature, publicKey, message] = [bytes(bad.sig), bytes(bad.pubkey), bytes(bad.msg)]
  if (!bad.partial || bad.nonce === null) return [verifySignature({ signature, publicKey, message }), bad.ok]
  const keySum = bytes(bad.pubkey_total ?? bad.pubkey)
  return [verifyPartial({ signature, publicKey, nonceSum: bytes(bad.nonce), keySum, message }), bad.ok]
}

const compactForm = async ({ compact, ok, raw }) => {
  const made = await answer(() => crypto.compactToRaw(bytes(compact)))
  return ok
    ? [
        [made, crypto.rawToCompact(bytes(raw))],
        [raw, compact],
      ]
    : [made, undefined]
}

const kernelMessage = ({ features, fee_fields, lock_height, msg }) => {
  const fee = BigInt(fee_fields)
  const kinds = [
    { kind: 'plain', fee },
    { kind: 'coinbase' },
    { kind: 'height-locked', fee, lockHeight: BigInt(lock_height) },
  ]
  return [tx.kernelMessage(kinds[features]), msg]
}

const grinOutput = (one) => {
  const keys = keychain.openKeychain(bytes(one.seed))
  const kind = one.switch === 1 ? 'regular' : 'none'
  const at = [bytes(one.key_id), BigInt(one.value), kind]
  const input = keys.proofInput(...at)
  const proof = crypto.proveRange(input)
  return [
    [
      blindHex(keys.deriveKey(at[0])),
      blindHex(input.blind),
      keys.commitOutput(...at),
      input.rewindNonce,
      input.privateNonce,
      input.message,
      proof,
      keys.rewindOutput(input.commitment, proof),
    ],
    [
      one.derived_key,
      one.blind,
      one.commit,
      one.rewind_nonce,
      one.private_nonce,
      one.message,
      one.proof,
      { identifier: one.key_id, value: at[1], switchType: kind },
    ],
  ]
}

const receiveFlow = ({ in: asked, out, final }) => {
  const output = keychain.openKeychain(bytes(asked.receiver_seed)).proofInput(bytes(asked.key_id), BigInt(asked.amount))
  const key = scalar(asked.receiver_excess_key)
  const own = crypto.secureNonce(bytes(asked.receiver_nonce_seed))
  const publicKey = crypto.compressedPublicKey(key)
  const session = {
    keySum: sumPublicKeys([bytes(asked.sender_pub_excess), publicKey]),
    nonceSum: sumPublicKeys([bytes(asked.sender_pub_nonce), own.public]),
    message: bytes(out.kernel_msg),
  }
  const partial = signPartial({ ...session, secretKey: key, secretNonce: own.secret })
  return [
    [
      output.commitment,
      crypto.proveRange(output),
      [publicKey, own.public],
      scalarToBytes(crypto.blindSum([output.blind], [key])),
      [partial, crypto.rawToCompact(partial)],
      verifyPartial({ ...session, signature: partial, publicKey }),
      crypto.publicKeyToCommitment(session.keySum),
      verifySignature({ signature: bytes(final.excess_sig), publicKey: session.keySum, message: session.message }),
    ],
    [
      out.commit,
      out.proof,
      [out.pub_excess, out.pub_nonce],
      out.offset,
      [out.partial, out.partial_compact],
      true,
      final.excess,
      true,
    ],
  ]
}

/** Of the intermediate values only those that a public function answers. */
const traces = (file) => [
  ['G', () => [commit(0n, 1n), file.quadratic.commit_0_1]],
  ['H', () => [commit(1n, 0n), file.quadratic.commit_1_0]],
  ['G + H', () => [commit(1n, 1n), file.quadratic.commit_1_1]],
  [
    'switch',
    () => [
      scalarToBytes(crypto.switchBlind(BigInt(file.switch.value), scalar(file.switch.blind))),
      file.switch.switch_blind,
    ],
  ],
  ['view key', () => [keychain.openKeychain(bytes(file.keychain.seed)).rewindHash, file.keychain.rewind_hash]],
  [
    'key',
    () => [
      blindHex(keychain.openKeychain(bytes(file.keychain.seed)).deriveKey(bytes(file.keychain.key_id))),
      file.keychain.steps.at(-1).key,
    ],
  ],
]

/** The generators that a public function shows: as public key and commitment of one. */
const generators = ({ G, H }) => [
  ['G', () => [crypto.compressedPublicKey(1n).subarray(1), G.slice(0, 64)]],
  ['H', () => [commit(1n, 0n).subarray(1), H.slice(0, 64)]],
]

export const cryptoChecks = {
  'crypto/aggsig_bad.json': each(badSignature, ({ why }) => why),
  'crypto/aggsig_kernels.json': each(kernelSignature),
  'crypto/aggsig_nonces.json': each(nonce),
  'crypto/aggsig_single.json': singles,
  'crypto/blind_sums.json': each(blindSum),
  'crypto/bulletproofs.json': each(rangeProof),
  'crypto/bulletproofs_bad.json': each(badRangeProof, ({ why }) => why),
  'crypto/commitment_sums.json': each(commitmentSum),
  'crypto/commitments.json': each(commitment),
  'crypto/generators.json': generators,
  'crypto/grin_outputs.json': each(grinOutput),
  'crypto/kernel_msgs.json': each(kernelMessage),
  'crypto/pubkey_sums.json': each(publicKeySum),
  'crypto/receive_flow.json': each(receiveFlow),
  'crypto/sig_compact.json': each(compactForm),
  'crypto/switch.json': each(switched),
  'crypto/traces.json': traces,
  'crypto/tx_balance.json': each(balance),
}
