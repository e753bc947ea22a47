// test/vectors/wallet over the public functions: keys, addresses, slates, slatepacks, fees and kernels of grin-wallet 5.4.1.
import { crypto, keychain, proof, slate, slatepack, tx } from '@grinpay/grin'
import { bytes, codeOf, concat, scalar } from './check.mjs'
import { slatepackCases } from './slatepacks.mjs'

export const walletOf = (mnemonic) => keychain.openKeychain(keychain.entropyFromMnemonic(mnemonic))
const switchOf = (name) => (name === 'Regular' ? 'regular' : 'none')
const { decodeSlate, encodeSlate, formatSlateJson, parseSlateJson } = slate
const jsonOf = (one) => JSON.parse(formatSlateJson(one))

const keychainCases = ({ wallets }) =>
  wallets.flatMap((wallet) => {
    const keys = keychain.openKeychain(bytes(wallet.entropy))
    const words = () => [
      [
        keychain.entropyFromMnemonic(wallet.mnemonic),
        keychain.mnemonicFromEntropy(bytes(wallet.entropy)),
        keys.rewindHash,
      ],
      [wallet.entropy, wallet.mnemonic, wallet.rewind_hash],
    ]
    const paths = wallet.identifiers.map(({ path, identifier, node }) => [
      `${wallet.name} ${path}`,
      () => [
        [
          keychain.identifierFromPath(path),
          keychain.formatPath(bytes(identifier)),
          crypto.scalarToBytes(keys.deriveKey(bytes(identifier))),
        ],
        [identifier, path, node.secret_key],
      ],
    ])
    const outputs = wallet.outputs.map((output) => [
      `${wallet.name} output ${output.path} ${output.amount} ${output.switch}`,
      () => {
        const input = keys.proofInput(bytes(output.identifier), BigInt(output.amount), switchOf(output.switch))
        return [
          [crypto.scalarToBytes(input.blind), input.commitment, input.message, input.rewindNonce, input.privateNonce],
          [output.blind, output.commit, output.proof_message, output.rewind_nonce, output.private_nonce],
        ]
      },
    ])
    return [[`${wallet.name} words`, words], ...paths, ...outputs]
  })

const rangeProofCases = ({ mnemonic, proofs }) => {
  const [owner, stranger] = [walletOf(mnemonic), keychain.openKeychain(new Uint8Array(32).fill(7))]
  return proofs.map((one) => [
    `${one.builder} ${one.path} ${one.amount}`,
    () => {
      const parts = [bytes(one.commit), bytes(one.proof)]
      const known = one.rewind_by_owner_current_builder
      const found = owner.rewindOutput(...parts) ?? null
      const input = owner.proofInput(bytes(one.identifier), BigInt(one.amount), switchOf(one.switch))
      return [
        [
          crypto.verifyRange(...parts),
          stranger.rewindOutput(...parts) ?? null,
          found,
          known && crypto.proveRange(input),
        ],
        [
          true,
          null,
          known && { identifier: known.identifier, value: BigInt(known.amount), switchType: switchOf(known.switch) },
          known && one.proof,
        ],
      ]
    },
  ])
}

/** The member names of grin-wallet for what ours says of an address. */
const addressForms = (key, seed) => ({
  ed25519_seed: seed,
  ed25519_public: key,
  slatepack_address: slatepack.formatAddress('grin', key),
  slatepack_address_testnet: slatepack.formatAddress('tgrin', key),
  onion_v3: slatepack.formatOnion(key),
  age_recipient: slatepack.ageRecipient(key),
  age_identity: slatepack.ageIdentity(seed),
})

const addressCases = ({ wallets, decode_slatepack_address, decode_onion }) => {
  const made = wallets.flatMap(({ name, mnemonic, addresses }) =>
    addresses.map((one) => [
      `${name} ${one.account_path} ${one.index}`,
      () => {
        const seed = walletOf(mnemonic).addressSeed(Number(one.account_path.split('/')[1]), one.index)
        const forms = addressForms(slatepack.addressOfSeed(seed), seed)
        const read = [
          slatepack.parseAddress(one.slatepack_address, 'grin'),
          slatepack.parseAddress(one.slatepack_address_testnet, 'tgrin'),
          slatepack.parseOnion(one.onion_http),
        ]
        const expected = Object.fromEntries(Object.keys(forms).map((member) => [member, one[member]]))
        return [
          [forms, read],
          [expected, read.map(() => one.ed25519_public)],
        ]
      },
    ]),
  )
  // The prefix of our chain is required, as grin-wallet does since 5.5.1.
  const texts = decode_slatepack_address.map(({ case: name, text, ok, hrp, ed25519_public }) => [
    name,
    async () => {
      const code = await codeOf(() => slatepack.parseAddress(text, 'grin'))
      if (!ok) return [code, 'ADDRESS_INVALID']
      if (hrp !== 'grin') return [code, 'SLATEPACK_WRONG_CHAIN']
      return [slatepack.parseAddress(text, 'grin'), ed25519_public]
    },
  ])
  // grin-wallet's reader also takes keys in plain hex; ours reads onion addresses only.
  const onions = decode_onion.map(({ text, ok, ed25519_public }) => [
    `onion ${text.slice(0, 70)}`,
    async () => {
      if (!ok || /^[0-9a-f]+$/.test(text)) return [await codeOf(() => slatepack.parseOnion(text)), 'ADDRESS_INVALID']
      return [slatepack.parseOnion(text), ed25519_public]
    },
  ])
  return [...made, ...texts, ...onions]
}

/** Where the library is stricter than grin-wallet, as test/grin/slate/vectors.test.ts has it. */
const STRICTER = {
  'ver 3:2': 'SLATE_VERSION_UNSUPPORTED',
  'ver 5:9': 'SLATE_VERSION_UNSUPPORTED',
  'version 5': 'SLATE_VERSION_UNSUPPORTED',
  'off short (padded with zero bytes at the end)': 'SLATE_INVALID',
  'off long (cut)': 'SLATE_INVALID',
  'part long (cut)': 'SLATE_INVALID',
  'coms c short': 'SLATE_INVALID',
  'coms p short': 'SLATE_INVALID',
  'coms p empty': 'SLATE_INVALID',
}

const slateCases = ({ slates, json_input, binary_input }) => {
  const forms = slates.map(({ name, json, json_text, bin, json_after_binary_round_trip: after }) => [
    name,
    () => {
      const read = parseSlateJson(json_text)
      return [
        [
          formatSlateJson(read),
          parseSlateJson(json),
          encodeSlate(read),
          jsonOf(decodeSlate(bytes(bin))),
          encodeSlate(decodeSlate(bytes(bin))),
        ],
        [json_text, read, bin, after === 'same' ? json : after, bin],
      ]
    },
  ])
  const odd = (inputs, read) =>
    inputs.map((input) => [
      input.case,
      async () => {
        if (input.ok && !STRICTER[input.case]) return [jsonOf(read(input)), input.reads_as]
        return [await codeOf(() => read(input)), STRICTER[input.case] ?? 'SLATE_INVALID']
      },
    ])
  const [texts, packed] = [({ text }) => parseSlateJson(text), ({ bin }) => decodeSlate(bytes(bin))]
  return [...forms, ...odd(json_input, texts), ...odd(binary_input, packed)]
}

const feeFieldCases = ({ fee_fields, fee_fields_json_input, tx_fee }, slateJson) => [
  ...fee_fields.map(({ fee_shift, fee, ok, value }) => [
    `fee ${fee} shift ${fee_shift}`,
    async () => {
      const make = () => tx.feeField(BigInt(fee), BigInt(fee_shift))
      if (!ok) return [await codeOf(make), 'RangeError']
      const expected = [BigInt(value), { fee: BigInt(fee), shift: BigInt(fee_shift), stray: false }]
      return [
        [make(), tx.splitFee(make()), tx.shiftedFee(make())],
        [...expected, BigInt(fee) >> BigInt(fee_shift)],
      ]
    },
  ]),
  ...fee_fields_json_input.map(({ json, ok, value, fee, fee_shift }) => [
    `fee as JSON ${json}`,
    async () => {
      const text = JSON.stringify({ ...slateJson, fee: 'FEE' }).replace('"FEE"', json)
      if (!ok) return [await codeOf(() => parseSlateJson(text)), 'SLATE_INVALID']
      const split = { fee: BigInt(fee), shift: BigInt(fee_shift), stray: BigInt(value) >= 2n ** 44n }
      return [
        [parseSlateJson(text).fee, tx.splitFee(parseSlateJson(text).fee)],
        [BigInt(value), split],
      ]
    },
  ]),
  ...tx_fee.map((shape) => [
    `least fee ${shape.inputs} ${shape.outputs} ${shape.kernels}`,
    () => [tx.minimumFee(shape), BigInt(shape.fee)],
  ]),
]

const kernelCase = (vector) => {
  const kernel = tx.parseKernelJson(vector.kernel_json)
  const session = {
    nonceSum: bytes(vector.public_nonce),
    keySum: bytes(vector.public_excess),
    message: tx.kernelMessage(kernel.features),
  }
  const [secretKey, secretNonce] = [scalar(vector.secret_excess), scalar(vector.secret_nonce)]
  const part = crypto.signPartial({ ...session, secretKey, secretNonce })
  const printed = tx.transactionJson({ offset: new Uint8Array(32), inputs: [], outputs: [], kernels: [kernel] })
  return [
    [
      printed.body.kernels[0],
      kernel.signature,
      [1, 2, 3].map((version) => tx.encodeKernel(kernel, version)),
      tx.kernelHash(kernel),
      session.message,
      crypto.compressedPublicKey(secretKey),
      crypto.publicKeyToCommitment(session.keySum),
      [part, crypto.rawToCompact(part), crypto.addSignatures([part], session.nonceSum)],
      crypto.verifySignature({ signature: kernel.signature, publicKey: session.keySum, message: session.message }),
    ],
    [
      vector.kernel_json,
      vector.sig_raw,
      [vector.kernel_bin_v1, vector.kernel_bin_v2, vector.kernel_bin_v2],
      vector.kernel_hash,
      vector.message,
      vector.public_excess,
      vector.excess_commitment,
      [vector.partial_sig_raw, vector.partial_sig_compact, vector.sig_raw],
      true,
    ],
  ]
}

const feeAndKernelCases = (file, read) => {
  const order = file.inputs_outputs_in_sort_order
  const members = order.map(({ features, commit }) => ({ coinbase: features === 1, commitment: bytes(commit) }))
  return [
    [
      'constants',
      () => [
        [tx.FEE_BASE, tx.MAX_WEIGHT],
        [BigInt(file.accept_fee_base), file.max_tx_weight],
      ],
    ],
    ...feeFieldCases(file, read('wallet/slates.json').slates[0].json),
    ...file.kernels.map((vector) => [`kernel ${vector.name}`, () => kernelCase(vector)]),
    ...file.pubkey_to_commitment.map(({ public_key, commitment }) => [
      public_key,
      () => [crypto.publicKeyToCommitment(bytes(public_key)), commitment],
    ]),
    ...order.map(({ features, commit, hash }) => [
      `hash of ${commit}`,
      () => [crypto.blake2b256(concat([features], bytes(commit))), hash],
    ]),
    ['sort order', () => [tx.sortByHash([...members].reverse()), members]],
  ]
}

/** Upstream looks for the kernel first, so another excess is "not found" there; here its signatures are wrong. */
const PROOF_CODES = {
  'Payment Proof generation error: Invalid recipient signature': 'PROOF_RECIPIENT_SIGNATURE',
  'Payment Proof generation error: Invalid sender signature': 'PROOF_SENDER_SIGNATURE',
}

const paymentProofCases = (file) => {
  const [payer, payee] = [file.sender_mnemonic, file.recipient_mnemonic].map((words) =>
    walletOf(words).addressSeed(0, 0),
  )
  const content = {
    amount: BigInt(file.amount),
    excess: bytes(file.kernel_excess),
    sender: slatepack.addressOfSeed(payer),
  }
  const made = () => {
    const half = proof.makeReceiverProof(content, payee)
    const whole = proof.paymentProofJson(proof.completeProof(half, payer), 'grin')
    return [
      [proof.paymentProofMessage(content), proof.verifyReceiverProof(half), half.signature, JSON.stringify(whole)],
      [file.message, true, file.exported.recipient_sig, file.exported_text],
    ]
  }
  return [
    ['the message and both signatures', made],
    ['the signature in the S2', () => [parseSlateJson(file.s2.json).proof.signature, file.exported.recipient_sig]],
    ...file.verification.map(({ case: name, proof: given, result }) => [
      name,
      async () => {
        const code = await codeOf(() => proof.checkPaymentProof(proof.parsePaymentProof(given, 'grin')))
        if (!result.parsed) return [code, 'PROOF_INVALID']
        if (result.third_party.ok) return [code, 'ok']
        return [code, PROOF_CODES[result.third_party.error] ?? 'PROOF_RECIPIENT_SIGNATURE']
      },
    ]),
  ]
}

const walletStateCases = ({ steps, recovered_from_mnemonic: recovered }) => {
  const keys = walletOf(recovered.mnemonic)
  const committed = ({ key_id, value }) => keys.commitOutput(keychain.identifierFromPath(key_id), BigInt(value))
  const next = keychain.outputIdentifier(0, recovered.snapshot.next_child_index)
  return [
    ...steps.map(({ step, receiver: { outputs } }) => [
      step,
      () => [outputs.map(committed), outputs.map(({ commit }) => commit)],
    ]),
    [
      'restored',
      () => [
        [...recovered.snapshot.outputs.map(committed), keys.commitOutput(next, 1n)],
        [...recovered.snapshot.outputs.map(({ commit }) => commit), recovered.next_key_commit_for_one_nanogrin],
      ],
    ],
  ]
}

export const walletChecks = {
  'wallet/addresses.json': addressCases,
  'wallet/fees_and_kernels.json': feeAndKernelCases,
  'wallet/keychain.json': keychainCases,
  'wallet/payment_proof.json': paymentProofCases,
  'wallet/range_proofs.json': rangeProofCases,
  'wallet/slatepack.json': slatepackCases,
  'wallet/slates.json': slateCases,
  'wallet/wallet_states.json': walletStateCases,
}
