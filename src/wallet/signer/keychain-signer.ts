// The signer of a wallet whose seed is in this process.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { nanoGrin } from '../../grin/amount/index.js'
import { blake2b256, outputMismatch, type Prover, recomputeOutput } from '../../grin/crypto/index.js'
import { formatPath, identifierFromPath, type Keychain, outputIdentifier } from '../../grin/keychain/index.js'
import type { AddressKey } from '../../grin/kinds/index.js'
import { createS1, finalizeS2, payI1, type Spend } from '../../grin/payer/index.js'
import { createSecretVault, finalizeInvoice, issueInvoice, receiveS1, replyArmor } from '../../grin/receive/index.js'
import { digestSlate } from '../../grin/slate/index.js'
import { addressOfSeed, armorSlate, armorSlateTo, readSlatepack } from '../../grin/slatepack/index.js'
import { feeField } from '../../grin/tx/index.js'
import { concatBytes, fromHex, toHex, utf8, wipe } from '../../lib/bytes.js'
import type { RandomBytes, RandomSource } from '../../lib/random-bytes.js'
import type { AddressPlace, OwnOutput } from '../model.js'
import type { ProvenOutput } from '../node/node.js'
import { readingRow } from '../storage/tables.js'
import { createAddressBook } from './address-book.js'
import type {
  FinishInvoice,
  FinishSend,
  FoundOutput,
  InvoiceRequest,
  OutputAt,
  SendRequest,
  SignedSpend,
  Signer,
} from './signer.js'

/** What a signer in this process is made of. */
export interface SignerOptions {
  readonly keychain: Keychain
  readonly prover: Prover
  readonly random: RandomSource
  /** Epoch milliseconds. */
  readonly now: () => number
}

type Parts = SignerOptions & { readonly vault: ReturnType<typeof createSecretVault> }

/** The default signer: it holds the keychain, and answers in the calling thread but for what the prover does elsewhere. */
export function createSigner(options: SignerOptions): Signer {
  const { keychain, prover, random } = options
  const book = createAddressBook(keychain)
  const parts: Parts = { ...options, vault: createSecretVault(keychain, { bytes: random }) }
  return {
    identity: async () => toHex(blake2b256(keychain.subkey('grinpay wallet storage 1'))),
    viewKey: async () => keychain.rewindHash,
    outputs: async (at) => at.map((one) => outputOf(keychain, one)),
    identify: async (outputs) => outputs.flatMap((output) => identify(keychain, output)),
    address: async (account, index) => addressOfSeed(keychain.addressSeed(account, index)),
    async addresses(ranges, only) {
      const named = only && (await book.find(ranges, only))
      const found = only ? (named ? [named] : []) : await book.all(ranges)
      return found.map(({ account, index, publicKey }) => ({ account, index, publicKey }))
    },
    async readSlatepack(text, { prefix, ranges, expected }) {
      const tried: AddressPlace[] = []
      async function* keys() {
        for await (const { account, index, key } of book.inOrder(ranges, expected)) {
          tried.push({ account, index })
          yield key
        }
      }
      const { seed, ...opened } = await readSlatepack(text, { prefix, decryptWith: keys, single: true })
      const address = seed === undefined ? undefined : tried[seed]
      return { ...opened, ...(address && { address }) }
    },
    async writeSlatepack(slate, { prefix, account, recipient, request }) {
      const sender = addressOfSeed(keychain.addressSeed(account, 0))
      const bound = boundRandom(parts, `slatepack ${toHex(digestSlate(slate))}`)
      if (request) return replyArmor(slate, { prefix, sender, random: bound, request })
      if (recipient) return armorSlateTo([recipient], slate, { prefix, sender, random: bound })
      return armorSlate(slate, { prefix, sender })
    },
    beginSend: async (request) => beginSend(parts, request),
    finishSend: (request) => finishSend(parts, request),
    receive: ({ s1, account, keyIndex, named: own }) =>
      receiveS1({
        keychain,
        slate: s1,
        rules: { tip: 0, addresses: own ? [own] : [] },
        account,
        keyIndex,
        prove: prover.prove,
        random: boundRandom(parts, `S1 ${s1.id}`),
      }),
    beginInvoice: (request) => beginInvoice(parts, request),
    finishInvoice: (request) => finishInvoice(parts, request),
    async pay({ i1, spend, ttl }) {
      checkChange(keychain, spend.change)
      const bound = boundRandom(parts, `I2 ${toHex(digestSlate(i1))}`)
      const answer = { slate: i1, spend: spendOf(spend), ttl: BigInt(ttl) }
      return payI1({ keychain, ...answer, prove: prover.prove, random: bound })
    },
  }
}

function outputOf(keychain: Keychain, { account, index, value }: OutputAt): OwnOutput {
  const identifier = outputIdentifier(account, index)
  return { commitment: toHex(keychain.commitOutput(identifier, value)), path: formatPath(identifier), value }
}

/** Outputs of switch type `none`, which no wallet makes, are left out: they could not be spent. */
function identify(keychain: Keychain, chain: ProvenOutput): FoundOutput[] {
  const own = keychain.rewindOutput(chain.commitment, chain.proof)
  if (own?.switchType !== 'regular') return []
  return [{ commitment: toHex(chain.commitment), path: formatPath(own.identifier), value: own.value, chain }]
}

const coinOf = ({ path, value }: OwnOutput) => ({ identifier: identifierFromPath(path), value })

/** The spend as the payer's side of the protocol takes it. */
const spendOf = ({ inputs, change, fee }: SignedSpend): Spend => ({
  coins: inputs.map((input) => ({ ...coinOf(input), coinbase: input.coinbase })),
  change: change.map(coinOf),
  fee: feeField(fee),
})

/**
 * A second computation of change outputs before their commitments leave: an output that the seed does not open is lost money. Throws
 * OUTPUT_MISMATCH if the curve library alone computes another commitment for seed, path and amount.
 */
function checkChange(keychain: Pick<Keychain, 'deriveKey'>, change: readonly OwnOutput[]): void {
  for (const { path, value, commitment } of change) {
    const again = recomputeOutput(value, keychain.deriveKey(identifierFromPath(path)))
    if (toHex(again.commitment) !== commitment) throw outputMismatch()
  }
}

const named = (address: AddressKey | undefined): string => (address ? toHex(address) : '')

function beginSend(parts: Parts, request: SendRequest) {
  const { account, slateId, amount, spend, ttl, recipient, proof } = request
  const seed = recipient && proof ? parts.keychain.addressSeed(account, 0) : undefined
  const { slate, bytes, pending } = createS1({
    amount: nanoGrin(amount),
    spend: spendOf(spend),
    id: slateId,
    ttl: BigInt(ttl),
    random: boundRandom(parts, `S1 ${slateId} ${account} ${named(recipient)}`),
    now: parts.now(),
    ...(recipient && seed && { proof: { recipient, seed } }),
  })
  const sealed = parts.vault.seal(slateId, pending.secrets)
  wipe(pending.secrets, seed ?? new Uint8Array())
  return { slate, bytes, sealed }
}

async function finishSend(parts: Parts, { account, s1, s2, spend, sealed }: FinishSend) {
  const { keychain, prover, vault } = parts
  checkChange(keychain, spend.change)
  const secrets = readingRow(`context/${s1.id}`, () => vault.open(s1.id, sealed))
  const proofSeed = s1.proof && keychain.addressSeed(account, 0)
  const pending = { slate: s1, spend: spendOf(spend), secrets, ...(proofSeed && { proofSeed }) }
  try {
    return await finalizeS2({ keychain, pending, slate: s2, prove: prover.prove, verifyRange: prover.verify })
  } finally {
    wipe(secrets, proofSeed ?? new Uint8Array())
  }
}

async function beginInvoice(parts: Parts, { slateId, at, payer }: InvoiceRequest) {
  const { account, index, value } = at
  const { slate, bytes, invoice } = await issueInvoice({
    keychain: parts.keychain,
    amount: nanoGrin(value),
    account,
    keyIndex: index,
    id: slateId,
    prove: parts.prover.prove,
    random: boundRandom(parts, `I1 ${slateId} ${named(payer)}`),
    now: parts.now(),
  })
  const { identifier, commitment, rangeProof, secrets } = invoice
  const sealed = parts.vault.seal(slateId, secrets)
  wipe(secrets)
  return {
    slate,
    bytes,
    sealed,
    rangeProof,
    output: { commitment: toHex(commitment), path: formatPath(identifier), value },
  }
}

async function finishInvoice(parts: Parts, { i2, output, rangeProof, sealed, tip }: FinishInvoice) {
  const { keychain, prover, vault } = parts
  const secrets = readingRow(`context/${i2.id}`, () => vault.open(i2.id, sealed))
  const invoice = {
    slateId: i2.id,
    amount: nanoGrin(output.value),
    identifier: identifierFromPath(output.path),
    commitment: fromHex(output.commitment),
    rangeProof,
    secrets,
  }
  try {
    return await finalizeInvoice({ keychain, invoice, slate: i2, tip, verifyRange: prover.verify })
  } finally {
    wipe(secrets)
  }
}

// Randomness of a signer, bound to what it is for.
const LABEL = 'grinpay wallet randomness 1'

interface Sources {
  readonly keychain: Keychain
  readonly random: RandomSource
  /** Epoch milliseconds. */
  readonly now: () => number
}

/**
 * Random bytes bound to `purpose` (at least the slate's id or digest): a machine that resumes twice from one snapshot repeats its random
 * bytes, and must still not sign two messages with one nonce. HMAC-SHA256 under a key of the seed, over fresh bytes, purpose and a count.
 */
function boundRandom({ keychain, random, now }: Sources, purpose: string): RandomBytes {
  let count = 0
  const context = utf8(`${purpose} ${now()}`)
  return {
    bytes(length) {
      const key = keychain.subkey(LABEL)
      const fresh = random(32)
      const blocks = Array.from({ length: Math.ceil(length / 32) }, () =>
        hmac(sha256, key, concatBytes(fresh, utf8(`${count++} `), context)),
      )
      wipe(key, fresh)
      return concatBytes(...blocks).slice(0, length)
    },
  }
}
