// A wallet over a storage: opens it, and offers its verbs.
import type { Prover } from '../grin/crypto/index.js'
import type { Keychain } from '../grin/keychain/index.js'
import type { PaymentProofJson } from '../grin/proof/index.js'
import type { RandomSource } from '../lib/random-bytes.js'
import type { WebAbortSignal } from '../lib/web-types.js'
import type { Settled } from './chain/settle.js'
import { CHAIN_RULES, type ChainType } from './chain-rules.js'
import { balanceOf, type WalletBalance } from './coins/balance.js'
import { walletOtherChain, walletOtherSeed } from './errors.js'
import { MIN_CONFIRMATIONS } from './events.js'
import { createLedger, type Draft } from './ledger.js'
import type { AddressPlace, WalletAccount, WalletOutput, WalletTransaction } from './model.js'
import type { WalletParts } from './parts.js'
import { heightOf } from './rows.js'
import type { ScanOptions } from './scan/scan.js'
import { createSigner } from './signer/keychain-signer.js'
import type { Signer } from './signer/signer.js'
import { type OpenedSlate, readSlate, type SlateInput } from './slates.js'
import type { WalletStorage } from './storage/storage.js'
import { ONLY } from './storage/tables.js'
import { createSubscribe, type SubscribeOptions, sleepByTimer, type WalletListener } from './subscribe.js'
import { addressAt, createAccount, DEFAULT_LABEL, labelAccount, newAccount, nextAddress } from './verbs/accounts.js'
import { cancel } from './verbs/cancel.js'
import { type Finalized, finalize } from './verbs/finalize.js'
import { type Invoice, type InvoiceOptions, invoice } from './verbs/invoice.js'
import { type PaidInvoice, type PayOptions, pay } from './verbs/pay.js'
import { type PostOptions, post } from './verbs/post.js'
import { exportProof, type VerifiedProof, type VerifyProofOptions, verifyProof } from './verbs/proof.js'
import { type Received, type ReceiveOptions, receive } from './verbs/receive.js'
import { joinRefreshes, type RefreshOptions } from './verbs/refresh.js'
import { type CheckOptions, check, restore, type ScanResult } from './verbs/restore.js'
import { type SendOptions, type StartedSend, send } from './verbs/send.js'

/** A wallet's chain, storage and surroundings. */
export interface WalletBase {
  readonly chainType: ChainType
  readonly storage: WalletStorage
  readonly random: RandomSource
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Resolves after so many milliseconds, or when the signal ends it: what subscriptions wait with. Default: the timer of the platform. */
  readonly sleep?: (ms: number, signal: WebAbortSignal) => Promise<void>
}

/** A wallet whose seed is in this process, or one whose signer is elsewhere. */
export type WalletOptions = WalletBase &
  ({ readonly keychain: Keychain; readonly prover: Prover } | { readonly signer: Signer })

/** Which outputs a balance counts. */
export interface BalanceOptions {
  /** Default: all accounts. */
  readonly account?: number
  /** Default 10, as in grin-wallet. */
  readonly minConfirmations?: number
}

/**
 * Every verb has stored what it changed when its promise resolves. Verbs and queries decide on what is stored: what another window or
 * process changed counts from its commit on.
 */
export interface Wallet {
  readonly chainType: ChainType
  /** By index. */
  accounts(): Promise<readonly WalletAccount[]>
  /** The next account. Throws WALLET_ACCOUNT_EXISTS for a label that is taken. */
  createAccount(label: string): Promise<WalletAccount>
  /** Throws WALLET_NO_ACCOUNT or WALLET_ACCOUNT_EXISTS. */
  labelAccount(account: number, label: string): Promise<WalletAccount>
  /** The slatepack address m/account/1/index; defaults 0 and 0. */
  address(account?: number, index?: number): Promise<string>
  /** Hands out the next address of the account, default 0. */
  nextAddress(account?: number): Promise<{ readonly index: number; readonly address: string }>
  /** Sums at the tip of the last refresh. */
  balance(options?: BalanceOptions): Promise<WalletBalance>
  /** In the order in which they were made. */
  outputs(account?: number): Promise<readonly WalletOutput[]>
  /** The log, oldest first. */
  transactions(account?: number): Promise<readonly WalletTransaction[]>
  /** The tip of the chain at the last refresh; 0 before the first. */
  height(): Promise<number>
  /** Loads the storage again before the next verb. Not needed for what other windows change. */
  reload(): void
  /**
   * Calls a listener with what happens to payments, balance and height, caused by this program, another window, or another process where
   * the storage hears of it, as IndexedDB does. With a node it asks by itself. Begins with the next change; several changes may become one.
   * Returns how to end it. Throws RangeError.
   */
  subscribe(to: WalletListener | SubscribeOptions): () => void
  /** Opens a slatepack without doing anything with it. `expected`: the address whose key is tried first. */
  read(slatepack: SlateInput, expected?: AddressPlace): Promise<OpenedSlate>
  /** Begins a payment: an S1, its coins locked. Throws WALLET_AMOUNT, WALLET_NOT_ENOUGH or WALLET_TOO_MANY_INPUTS. */
  send(options: SendOptions): Promise<StartedSend>
  /** Answers an S1 with an S2; the same S1 again gets the same S2. Throws an S1_… refusal or WALLET_SLATE_USED. */
  receive(s1: SlateInput, options?: ReceiveOptions): Promise<Received>
  /** Asks for a payment: an I1. */
  invoice(options: InvoiceOptions): Promise<Invoice>
  /** Answers an I1 with an I2, its coins locked; the same I1 again gets the same I2. Throws the errors of `send`. */
  pay(i1: SlateInput, options?: PayOptions): Promise<PaidInvoice>
  /** Completes an S2 or I2: the transaction is stored, and can be posted. */
  finalize(reply: SlateInput): Promise<Finalized>
  /** Hands the stored transaction to a node; again, if need be. Throws WALLET_NOTHING_TO_POST and the errors of the node. */
  post(slateId: string, options: PostOptions): Promise<void>
  /** By id of the log or by slate. */
  cancel(transaction: number | string): Promise<WalletTransaction>
  /** Asks a node for pending transactions and outputs, and stores what changed. Joins a refresh that is asking this node already. */
  refresh(options: RefreshOptions): Promise<Settled>
  /** Finds the outputs of the seed on the chain; goes on where an interrupted scan was. */
  restore(options: ScanOptions): Promise<ScanResult>
  /** `restore` on a wallet that has rows: repairs the states of all outputs. */
  check(options: CheckOptions): Promise<ScanResult>
  /** As `grin-wallet export_proof` writes it. Throws WALLET_NO_PROOF. */
  paymentProof(slateId: string): Promise<PaymentProofJson>
  /** Verifies both signatures and looks for the kernel. */
  verifyProof(proof: unknown, options: VerifyProofOptions): Promise<VerifiedProof>
}

/**
 * Opens the wallet of a seed. A new storage gets account 0. Throws WALLET_OTHER_SEED, WALLET_OTHER_CHAIN, WALLET_STORAGE_DAMAGED or
 * WALLET_STORAGE_NEWER.
 */
export async function openWallet(options: WalletOptions): Promise<Wallet> {
  const { chainType, storage, random, now, sleep = sleepByTimer } = options
  const signer = 'signer' in options ? options.signer : createSigner(options)
  const ledger = createLedger(storage)
  const seed = await signer.identity()
  await ledger.change((draft) => claim(draft, seed, chainType))
  return verbsOf({ signer, chainType, rules: CHAIN_RULES[chainType], ledger, random, now, sleep })
}

/** A storage belongs to one seed and chain. */
function claim(draft: Draft, seed: string, chainType: ChainType): void {
  const stored = draft.get('identity', ONLY)
  if (stored && stored.seed !== seed) throw walletOtherSeed()
  if (stored && stored.chainType !== chainType) throw walletOtherChain(stored.chainType, chainType)
  if (stored) return
  draft.put('identity', { seed, chainType })
  draft.put('account', newAccount(0, DEFAULT_LABEL))
}

function verbsOf(parts: WalletParts): Wallet {
  const refresh = joinRefreshes(parts)
  return {
    chainType: parts.chainType,
    ...queriesOf(parts),
    createAccount: (label) => createAccount(parts, label),
    labelAccount: (account, label) => labelAccount(parts, account, label),
    address: (account = 0, index = 0) => addressAt(parts, account, index),
    nextAddress: (account = 0) => nextAddress(parts, account),
    send: (options) => send(parts, options),
    receive: (s1, options) => receive(parts, s1, options),
    invoice: (options) => invoice(parts, options),
    pay: (i1, options) => pay(parts, i1, options),
    finalize: (reply) => finalize(parts, reply),
    post: (slateId, options) => post(parts, slateId, options),
    cancel: (transaction) => cancel(parts, transaction),
    refresh,
    subscribe: createSubscribe(parts, refresh),
    restore: (options) => restore(parts, options),
    check: (options) => check(parts, options),
    paymentProof: (slateId) => exportProof(parts, slateId),
    verifyProof: (proof, options) => verifyProof(parts, proof, options),
  }
}

type Queries = Pick<Wallet, 'accounts' | 'balance' | 'outputs' | 'transactions' | 'height' | 'read' | 'reload'>

function queriesOf(parts: WalletParts): Queries {
  const { ledger } = parts
  const ofAccount = <T extends { readonly account: number }>(rows: ReadonlyMap<string, T>, account?: number): T[] =>
    [...rows.values()].filter((row) => account === undefined || row.account === account)

  return {
    accounts: async () => [...(await ledger.read()).account.values()].sort((a, b) => a.index - b.index),
    async balance({ account, minConfirmations = MIN_CONFIRMATIONS } = {}) {
      const state = await ledger.read()
      return balanceOf(ofAccount(state.output, account), heightOf(state), minConfirmations)
    },
    async outputs(account) {
      const { output } = await ledger.read()
      return ofAccount(output, account).sort((a, b) => a.transaction - b.transaction)
    },
    async transactions(account) {
      const { transaction } = await ledger.read()
      return ofAccount(transaction, account).sort((a, b) => a.id - b.id)
    },
    height: async () => heightOf(await ledger.read()),
    reload: () => ledger.reload(),
    async read(slatepack, expected) {
      const { senderKey: _, ...opened } = await readSlate(parts, slatepack, expected)
      return opened
    },
  }
}
