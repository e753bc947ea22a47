// The front door of the wallet. Its types are plain: Uint8Array, bigint, string, objects.
export type { Prover } from '../grin/crypto/index.js'
export type { SlateState } from '../grin/slate/index.js'
export type { RandomSource } from '../lib/random-bytes.js'
export type { Settled } from './chain/settle.js'
export { CHAIN_RULES, type ChainRules, type ChainType } from './chain-rules.js'
export type { WalletBalance } from './coins/balance.js'
export type { CoinOptions } from './coins/choose.js'
export { type Selection, type SelectionRequest, type Strategy, selectCoins } from './coins/select.js'
/** The expected failures of a wallet; `is` of each recognises it. */
export * as walletErrors from './errors.js'
export type { PaymentEvent, PaymentEventType, WalletEvent, WalletEventType } from './events.js'
export type {
  AddressPlace,
  OutputStatus,
  OwnOutput,
  SeenBlock,
  StoredProof,
  TransactionKind,
  TransactionStatus,
  WalletAccount,
  WalletOutput,
  WalletTransaction,
} from './model.js'
export { createFetchNode, type FetchNodeOptions } from './node/fetch-node.js'
export type { ChainOutput, KernelQuestion, NodeCall, OutputPage, ProvenOutput, WalletNode } from './node/node.js'
export { type Sift, type SiftedOutput, siftOutputs } from './scan/rewind.js'
export type { ScanOptions, ScanProgress } from './scan/scan.js'
export { createSigner, type SignerOptions } from './signer/keychain-signer.js'
export type {
  AddressRange,
  Begun,
  BegunInvoice,
  FinishInvoice,
  FinishSend,
  FoundOutput,
  InvoiceRequest,
  OpenedBySigner,
  OutputAt,
  PayRequest,
  ReadBy,
  ReceiveRequest,
  SendRequest,
  SignedSpend,
  Signer,
  WriteBy,
} from './signer/signer.js'
export type { OpenedSlate, SlateInput, WrittenSlate } from './slates.js'
export { type IndexedDbOptions, openIndexedDbStorage } from './storage/indexeddb.js'
export type { StorageBatch, StoredRecord, StoredWallet, WalletStorage } from './storage/storage.js'
export { createMemoryStorage } from './storage/storage.js'
export type { SubscribeOptions, WalletListener } from './subscribe.js'
export type { Finalized } from './verbs/finalize.js'
export type { Invoice, InvoiceOptions } from './verbs/invoice.js'
export type { PaidInvoice, PayOptions } from './verbs/pay.js'
export type { PostOptions } from './verbs/post.js'
export type { VerifiedProof, VerifyProofOptions } from './verbs/proof.js'
export type { Received, ReceiveOptions } from './verbs/receive.js'
export type { RefreshOptions } from './verbs/refresh.js'
export type { CheckOptions, ScanResult } from './verbs/restore.js'
export type { SendOptions, StartedSend } from './verbs/send.js'
export { type BalanceOptions, openWallet, type Wallet, type WalletBase, type WalletOptions } from './wallet.js'
export { openWatchWallet, type WatchOptions, type WatchWallet } from './watch.js'
