// A customer with play money: makes S1, pastes it at the checkout, completes the S2 and pushes. Tests may hold any step.
import { nanoGrin } from '../grin/amount/index.js'
import type { ProveRange } from '../grin/crypto/index.js'
import { type Keychain, openKeychain, outputIdentifier } from '../grin/keychain/index.js'
import { armorSlate, readSlatepack } from '../grin/slatepack/index.js'
import { type Transaction, transactionJson } from '../grin/tx/index.js'
import { toHex } from '../lib/bytes.js'
import type { Random } from '../system/index.js'
import { makeCoinbase } from './coinbase.js'
import { amountAsked, pasteSlatepack, pushTransaction, steer } from './payer-http.js'
import { type Coin, createPurse, type Promised } from './purse.js'
import { closePayment, type Opening, openPayment } from './slates.js'

export interface PayerParts {
  readonly nodeUrl: string
  readonly prove: ProveRange
  readonly random: Random
}

/** An S1 that waits for its S2. */
export interface HeldPayment {
  readonly slateId: string
  readonly amount: bigint
  /** The armored S1. */
  readonly s1: string
}

/** A transaction that waits to be pushed. */
export interface FinishedPayment {
  readonly slateId: string
  /** Kernel excess, 66 hex. */
  readonly excess: string
  /** What push_transaction takes. */
  readonly transaction: object
}

export interface SandboxPayer {
  /** Makes `coins` ripe coins: mines a block for each, and the blocks they need to ripen. */
  fund(coins?: number): Promise<void>
  /** Nanogrin that is free to be spent. */
  balance(): bigint
  /** Reads the amount from the page, and pays it. */
  pay(payUrl: string): Promise<FinishedPayment>
  begin(amount: bigint): HeldPayment
  /** Answers the armored S2. */
  paste(payUrl: string, held: HeldPayment): Promise<string>
  finish(held: HeldPayment, s2: string): Promise<FinishedPayment>
  /** Pushing again does no harm. */
  push(finished: FinishedPayment): Promise<void>
  /** Gives the coins of a payment that will never be pushed back to the purse. */
  abandon(held: HeldPayment): void
}

interface Underway {
  readonly opening: Opening
  readonly promised: Promised
  readonly change: Coin
  readonly proof: Promise<Uint8Array>
}

const PREFIX = 'tgrin'
const COIN_VALUE = 100_000_000_000_000n // 100 000 GRIN of nothing
const RIPENING = 2

/** A payer with a wallet of its own that lives as long as the process. Throws the sandbox's errors. */
export function createSandboxPayer({ nodeUrl, prove, random }: PayerParts): SandboxPayer {
  const keychain: Keychain = openKeychain(random.bytes(32))
  const purse = createPurse()
  const underway = new Map<string, Underway>()
  let nextIndex = 0

  const blindOf = (coin: Coin) => keychain.outputBlind(outputIdentifier(0, coin.index), coin.value)

  async function fund(coins = 1): Promise<void> {
    const indices = Array.from({ length: coins }, () => nextIndex++)
    const made = await Promise.all(indices.map((index) => makeCoinbase(index, COIN_VALUE, { keychain, prove, random })))
    for (const { json } of made) await steer(nodeUrl, 'coinbase', json)
    await steer(nodeUrl, 'mine', { blocks: RIPENING })
    purse.add(made.map(({ coin }) => coin))
  }

  function begin(amount: bigint): HeldPayment {
    const promised = purse.promise(amount)
    const opening = openPayment(random.uuid(), nanoGrin(amount), promised.fee, random)
    const index = nextIndex++
    const { commitment, ...input } = keychain.proofInput(outputIdentifier(0, index), promised.change)
    const proof = prove(input) // takes a tenth of a second: made while the till answers
    proof.catch(() => undefined) // reported where it is awaited
    const change = { index, value: promised.change, commitment, coinbase: false }
    underway.set(opening.slate.id, { opening, promised, change, proof })
    return { slateId: opening.slate.id, amount, s1: armorSlate(opening.slate, { prefix: PREFIX }) }
  }

  async function finish({ slateId }: HeldPayment, s2: string): Promise<FinishedPayment> {
    const { opening, promised, change, proof } = find(slateId)
    const { slate } = await readSlatepack(s2, { prefix: PREFIX })
    const transaction: Transaction = closePayment(slate, {
      ...opening,
      inputs: promised.coins.map((coin) => ({ ...coin, blind: blindOf(coin) })),
      change: { ...change, proof: await proof, blind: blindOf(change) },
    })
    const [kernel] = transaction.kernels
    return { slateId, excess: kernel ? toHex(kernel.excess) : '', transaction: transactionJson(transaction) }
  }

  function find(slateId: string): Underway {
    const found = underway.get(slateId)
    if (!found) throw new RangeError(`no payment ${slateId} is under way`)
    return found
  }

  async function push({ slateId, transaction }: FinishedPayment): Promise<void> {
    const first = underway.get(slateId)
    await pushTransaction(nodeUrl, transaction)
    if (first && underway.delete(slateId)) purse.add([first.change])
  }

  function abandon({ slateId }: HeldPayment): void {
    purse.add(find(slateId).promised.coins)
    underway.delete(slateId)
  }

  async function pay(payUrl: string): Promise<FinishedPayment> {
    const held = begin(await amountAsked(payUrl))
    try {
      const finished = await finish(held, await pasteSlatepack(payUrl, held.s1))
      await push(finished)
      return finished
    } catch (error) {
      abandon(held)
      throw error
    }
  }

  return {
    fund,
    balance: purse.balance,
    pay,
    begin,
    paste: (payUrl, held) => pasteSlatepack(payUrl, held.s1),
    finish,
    push,
    abandon,
  }
}
