// A customer with play money: makes S1, pastes it at the checkout, completes the S2 and pushes. Tests may hold each step.
import { nanoGrin } from '../grin/amount/index.js'
import {
  addSignatures,
  commit,
  compressedPublicKey,
  type ProveRange,
  secureNonce,
  signPartial,
  sumCommitments,
  type VerifyRange,
} from '../grin/crypto/index.js'
import { type Identifier, type Keychain, openKeychain, outputIdentifier } from '../grin/keychain/index.js'
import { type Coin, createS1, finalizeS2, type PendingPayment, planSpend } from '../grin/payer/index.js'
import { armorSlate, parseAddress, readSlatepack } from '../grin/slatepack/index.js'
import { featuresJson, kernelMessage, minimumFee, signatureJson, transactionJson } from '../grin/tx/index.js'
import { toHex } from '../lib/bytes.js'
import type { RandomBytes } from '../lib/random-bytes.js'
import type { SystemRandom } from '../system/index.js'
import { noCoins } from './errors.js'
import { amountAsked, pasteSlatepack, pushTransaction, spendable, steer } from './payer-http.js'

// The payer's coins: those that are free. A payment takes its coins out, and brings them or the change back.
const sum = (coins: readonly Coin[]): bigint => coins.reduce((total, coin) => total + coin.value, 0n)

/** The most a payment with these inputs costs: the receiver's output, change, one kernel. */
const feeFor = (inputs: number): bigint => minimumFee({ inputs, outputs: 2, kernels: 1 })

function createFreeCoins() {
  let free: readonly Coin[] = []
  return {
    add: (coins: readonly Coin[]): void => {
      free = [...free, ...coins]
    },
    /** Takes coins out, largest first, until they cover the amount and the fee with change. Throws SANDBOX_NO_COINS. */
    take: (amount: bigint): readonly Coin[] => {
      const sorted = [...free].sort((a, b) => (a.value > b.value ? -1 : 1))
      const count = sorted.findIndex((_, at) => sum(sorted.slice(0, at + 1)) > amount + feeFor(at + 1)) + 1
      if (count === 0) throw noCoins(amount, sum(free))
      free = sorted.slice(count)
      return sorted.slice(0, count)
    },
    free: (): readonly Coin[] => free,
    /** Drops coins that no longer exist, such as those of a replaced block. */
    keep: (exists: (coin: Coin) => boolean): void => {
      free = free.filter(exists)
    },
    balance: (): bigint => sum(free),
  }
}

interface PayerParts {
  readonly nodeUrl: string
  readonly prove: ProveRange
  readonly verify: VerifyRange
  readonly random: SystemRandom
}

/** An S1 that waits for its S2. */
export interface HeldPayment {
  readonly slateId: string
  readonly amount: bigint
  /** The armored S1. */
  readonly s1: string
}

/** A transaction that waits to be pushed. */
export interface SignedPayment {
  readonly slateId: string
  /** Kernel excess, 66 hex. */
  readonly excess: string
  /** What push_transaction takes. */
  readonly transaction: object
}

interface BeginOptions {
  /** grin1 or tgrin1 address: the S1 asks it for a payment proof. */
  readonly proofFrom?: string
}

export interface SandboxPayer {
  /** Makes `count` ripe coins: mines a block for each, and the blocks they need to ripen. */
  fund(count?: number): Promise<void>
  /** Nanogrin that is free to be spent. */
  balance(): bigint
  /** Reads the amount from the page, and pays it. */
  pay(payUrl: string): Promise<SignedPayment>
  /** Pays this many nanogrin; `exchange` gives the S1 to the till and returns the armored S2. A failure frees the coins again. */
  payOver(
    amount: bigint,
    exchange: (held: HeldPayment) => Promise<string>,
    options?: BeginOptions,
  ): Promise<SignedPayment>
  /** Replaces coins that a reorganisation removed; call before `begin`. */
  ready(): Promise<void>
  begin(amount: bigint, options?: BeginOptions): HeldPayment
  /** Answers the armored S2. */
  paste(payUrl: string, held: HeldPayment): Promise<string>
  finish(held: HeldPayment, s2: string): Promise<SignedPayment>
  /** Pushing again does no harm. */
  push(finished: SignedPayment): Promise<void>
  /** Frees the coins of a payment that will never be pushed. */
  abandon(held: HeldPayment): void
}

const PREFIX = 'tgrin'
const HEADER_VERSION = 5
const COIN_VALUE = 100_000_000_000_000n // 100 000 GRIN of nothing
const RIPENING = 2

/** A payer with a wallet of its own that lives as long as the process. Throws the errors of the sandbox and of grin/payer. */
export function createSandboxPayer({ nodeUrl, prove, verify, random }: PayerParts): SandboxPayer {
  const keychain = openKeychain(random.bytes(32))
  const coins = createFreeCoins()
  const underway = new Map<string, { readonly pending: PendingPayment; readonly prove: ProveRange }>()
  const proofSeed = keychain.addressSeed(0, 0)
  let nextIndex = 0

  const nextKey = () => outputIdentifier(0, nextIndex++)

  async function fund(count = 1): Promise<void> {
    const keys = Array.from({ length: count }, nextKey)
    const made = await Promise.all(keys.map((key) => makeCoinbase(key, COIN_VALUE, { keychain, prove, random })))
    for (const { json } of made) await steer(nodeUrl, 'coinbase', json)
    await steer(nodeUrl, 'mine', { blocks: RIPENING })
    coins.add(made.map(({ coin }) => coin))
  }

  /** Drops coins that a reorganisation took; makes a new one when none is left. */
  async function refresh(): Promise<void> {
    const commitOf = ({ identifier, value }: Coin) => toHex(keychain.commitOutput(identifier, value))
    const commits = new Map(coins.free().map((coin) => [coin, commitOf(coin)]))
    const exists = await spendable(nodeUrl, [...commits.values()])
    coins.keep((coin) => exists(commits.get(coin) ?? commitOf(coin)))
    if (coins.free().length === 0) await fund()
  }

  /** Proofs of the change are begun at once, while the till answers. */
  function proveAhead(pending: PendingPayment): ProveRange {
    const [change] = pending.spend.change
    const proof = change && prove(keychain.proofInput(change.identifier, change.value))
    proof?.catch(() => undefined) // reported where it is awaited
    return (input) => proof ?? prove(input)
  }

  function begin(amount: bigint, { proofFrom }: BeginOptions = {}): HeldPayment {
    const value = nanoGrin(amount)
    const spend = planSpend(coins.take(amount), value, nextKey())
    const id = random.uuid()
    const proof = proofFrom === undefined ? undefined : { recipient: parseAddress(proofFrom, PREFIX), seed: proofSeed }
    const asked = { amount: value, spend, id, headerVersion: HEADER_VERSION, ...(proof && { proof }) }
    const { slate, pending } = createS1({ ...asked, random })
    underway.set(id, { pending, prove: proveAhead(pending) })
    return { slateId: id, amount, s1: armorSlate(slate, { prefix: PREFIX }) }
  }

  async function finish({ slateId }: HeldPayment, s2: string): Promise<SignedPayment> {
    const { slate } = await readSlatepack(s2, { prefix: PREFIX })
    const { transaction, excess } = await finalizeS2({ keychain, slate, verifyRange: verify, ...find(slateId) })
    return { slateId, excess: toHex(excess), transaction: transactionJson(transaction) }
  }

  function find(slateId: string) {
    const found = underway.get(slateId)
    if (!found) throw new RangeError(`no payment ${slateId} is under way`)
    return found
  }

  async function push({ slateId, transaction }: SignedPayment): Promise<void> {
    const first = underway.get(slateId)
    await pushTransaction(nodeUrl, transaction)
    if (first && underway.delete(slateId)) coins.add(first.pending.spend.change)
  }

  function abandon({ slateId }: HeldPayment): void {
    coins.add(find(slateId).pending.spend.coins)
    underway.delete(slateId)
  }

  async function payOver(
    amount: bigint,
    exchange: (held: HeldPayment) => Promise<string>,
    options?: BeginOptions,
  ): Promise<SignedPayment> {
    const held = begin(amount, options)
    try {
      const finished = await finish(held, await exchange(held))
      await push(finished)
      return finished
    } catch (error) {
      abandon(held)
      throw error
    }
  }

  async function pay(payUrl: string): Promise<SignedPayment> {
    const [amount] = await Promise.all([amountAsked(payUrl), refresh()])
    return payOver(amount, (held) => pasteSlatepack(payUrl, held.s1))
  }

  return {
    fund,
    balance: coins.balance,
    ready: refresh,
    pay,
    payOver,
    begin,
    paste: (payUrl, held) => pasteSlatepack(payUrl, held.s1),
    finish,
    push,
    abandon,
  }
}

// Play money: a coinbase that the payer makes for itself and the simulated node checks. Specification: grin-crypto, 8.7.

interface CoinbaseParts {
  readonly keychain: Keychain
  readonly prove: ProveRange
  readonly random: RandomBytes
}

interface MadeCoinbase {
  readonly coin: Coin
  /** What POST /sandbox/coinbase takes. */
  readonly json: object
}

/** A coinbase worth `value` nanogrin under this key. */
export async function makeCoinbase(identifier: Identifier, value: bigint, parts: CoinbaseParts): Promise<MadeCoinbase> {
  const { commitment, ...input } = parts.keychain.proofInput(identifier, value)
  const nonce = secureNonce(parts.random.bytes(32))
  const features = { kind: 'coinbase' } as const
  // A coinbase has no second party: its key is the blinding factor.
  const secretKey: bigint = input.blind
  const session = {
    nonceSum: nonce.public,
    keySum: compressedPublicKey(secretKey),
    message: kernelMessage(features),
  }
  const part = signPartial({ secretKey, secretNonce: nonce.secret, ...session })
  const proof = await parts.prove(input)
  return {
    coin: { identifier, value, coinbase: true },
    json: {
      value: value.toString(),
      output: { features: 'Coinbase', commit: toHex(commitment), proof: toHex(proof) },
      kernel: {
        features: featuresJson(features),
        excess: toHex(sumCommitments([commitment], [commit(value, 0n)])),
        excess_sig: signatureJson(addSignatures([part], nonce.public)),
      },
    },
  }
}
