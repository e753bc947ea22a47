// What the wallet refuses, and what its storage or node failed at. No text contains a secret.
import { defineError } from '../lib/errors.js'

/** Amount and fee are more than can be spent now. */
export const walletNotEnough = defineError('WALLET_NOT_ENOUGH', {
  status: 422,
  text: (have: bigint, need: bigint) => `${have} nanogrin can be spent now, amount and fee need ${need}`,
  hint: 'wait for confirmations, cancel pending payments, or send less',
})

/** The coins suffice, but not within the allowed number of inputs. */
export const walletTooManyInputs = defineError('WALLET_TOO_MANY_INPUTS', {
  status: 422,
  text: (most: number) => `no ${most} outputs hold enough for amount and fee`,
  hint: 'allow more inputs, or first send a part of it to yourself',
})

/** The answer to an invoice names every input and change output, and must fit into one slatepack. */
export const walletTooLarge = defineError('WALLET_TOO_LARGE', {
  status: 422,
  text: (inputs: number, change: number) =>
    `an answer with ${inputs} inputs and ${change} change outputs is longer than a slatepack may be`,
  hint: 'ask for fewer change outputs, or allow fewer inputs',
})

/** An amount that cannot be sent. */
export const walletAmount = defineError('WALLET_AMOUNT', {
  status: 422,
  text: (why: string) => `the amount cannot be sent: ${why}`,
  hint: 'choose another amount',
})

/** A slate in a state that does not fit. */
export const walletSlate = defineError('WALLET_SLATE', {
  status: 422,
  text: (why: string) => `the slate cannot be used: ${why}`,
  hint: 'check which payment it belongs to, and which step comes next',
})

/** Its nonce has signed, or will never sign. */
export const walletSlateUsed = defineError('WALLET_SLATE_USED', {
  status: 409,
  text: (id: string, why: string) => `slate ${id} signs nothing more: ${why}`,
  hint: 'begin a new payment',
})

/** A slate of another wallet. */
export const walletSlateUnknown = defineError('WALLET_SLATE_UNKNOWN', {
  status: 404,
  text: (id: string) => `this wallet has no payment with slate ${id}`,
  hint: 'open the wallet that began it',
})

/** The chain is past the height at which the slate expires. */
export const walletExpired = defineError('WALLET_SLATE_EXPIRED', {
  status: 422,
  text: (ttl: number, height: number) => `the slate expired at block ${ttl}, the chain is at ${height}`,
  hint: 'begin a new payment',
})

/** The wallet has not seen the chain yet. */
export const walletNotSynced = defineError('WALLET_NOT_SYNCED', {
  status: 409,
  text: () => 'the expiry of a slate counts from the tip of the chain, which this wallet has not seen yet',
  hint: 'refresh the wallet with a node first',
})

/** A transaction that is past cancelling. */
export const walletCannotCancel = defineError('WALLET_CANNOT_CANCEL', {
  status: 409,
  text: (id: number, why: string) => `transaction ${id} cannot be cancelled: ${why}`,
  hint: 'only pending and reverted transactions can be cancelled, the newest first',
})

/** A payment without a complete transaction. */
export const walletNothingToPost = defineError('WALLET_NOTHING_TO_POST', {
  status: 409,
  text: (id: string) => `the transaction of slate ${id} is not complete here`,
  hint: 'finalize it first; the one who finalizes posts',
})

/** A payment that asked for no proof, or is not complete. */
export const walletNoProof = defineError('WALLET_NO_PROOF', {
  status: 404,
  text: (id: string) => `there is no complete payment proof for slate ${id}`,
  hint: 'only the sender exports a proof, of a finalized payment to an address',
})

/** An account that does not exist. */
export const walletNoAccount = defineError('WALLET_NO_ACCOUNT', {
  status: 404,
  text: (account: string) => `this wallet has no account ${account}`,
  hint: 'create the account first',
})

/** A label that is taken. */
export const walletAccountExists = defineError('WALLET_ACCOUNT_EXISTS', {
  status: 409,
  text: (label: string) => `there is an account "${label}" already`,
  hint: 'choose another label',
})

/** Other payments took the coins meanwhile. */
export const walletCoinsMoved = defineError('WALLET_COINS_MOVED', {
  status: 409,
  text: () => 'the chosen coins were taken by another payment meanwhile',
  hint: 'try again',
})

/** Others changed the storage again and again. */
export const walletStorageConflict = defineError('WALLET_STORAGE_CONFLICT', {
  status: 409,
  text: () => 'another window or process keeps changing this wallet',
  hint: 'close the other window',
})

/** The storage did not answer or did not store. */
export const walletStorageFailed = defineError('WALLET_STORAGE_FAILED', {
  status: 503,
  text: (why: string) => `the storage of the wallet failed: ${why}`,
  hint: 'check that the disk has room and the browser allows storage, close other windows, and open the wallet again',
})

/** A stored row cannot be read. */
export const walletStorageDamaged = defineError('WALLET_STORAGE_DAMAGED', {
  status: 500,
  text: (what: string) => `the stored wallet cannot be read: ${what}`,
  hint: 'restore the wallet from its words',
})

/** A newer version wrote the storage. */
export const walletStorageNewer = defineError('WALLET_STORAGE_NEWER', {
  status: 500,
  text: (key: string) => `the stored wallet was written by a newer version: ${key}`,
  hint: 'update the program',
})

/** The storage belongs to another seed. */
export const walletOtherSeed = defineError('WALLET_OTHER_SEED', {
  status: 409,
  text: () => 'the stored wallet belongs to another seed',
  hint: 'open it with its own words, or choose another storage',
})

/** A verb that signs, in a wallet that only watches. */
export const walletWatchOnly = defineError('WALLET_WATCH_ONLY', {
  status: 409,
  text: (what: string) => `this wallet has the view key alone: it cannot ${what}`,
  hint: 'open the wallet of the seed for that',
})

/** The storage belongs to another chain. */
export const walletOtherChain = defineError('WALLET_OTHER_CHAIN', {
  status: 409,
  text: (stored: string, asked: string) => `the stored wallet is of ${stored}, not of ${asked}`,
  hint: 'choose another storage for this chain',
})

/** No answer, or one that cannot be right. */
export const walletNodeFailed = defineError('WALLET_NODE_FAILED', {
  status: 503,
  text: (why: string) => `the Grin node failed: ${why}`,
  hint: 'check the address of the node and the network',
})

/** The node answered with an error. */
export const walletNodeRefused = defineError('WALLET_NODE_REFUSED', {
  status: 502,
  text: (call: string, answer: string) => `the Grin node refused ${call}: ${answer}`,
  hint: 'read the answer and post it to another node; a cancelled payment may still be mined if a node has kept it',
})

/** The node knows less of the chain than the wallet. */
export const walletNodeBehind = defineError('WALLET_NODE_BEHIND', {
  status: 503,
  text: (height: number, seen: number) => `the Grin node is at height ${height}, this wallet has seen ${seen}`,
  hint: 'try again later, or another node; check the wallet if the chain was replaced by a shorter one',
})

/** The node is of another chain, or of a fork that began further back than nodes follow one. */
export const walletNodeChain = defineError('WALLET_NODE_CHAIN', {
  status: 409,
  text: (expected: string, said: string) =>
    `the Grin node is on another chain than this wallet: ${expected} was expected, the node says ${said}`,
  hint: "ask a node of the wallet's network; if a private chain was replaced, check the wallet with acceptChain",
})

/** The chain changed too often during one scan. */
export const walletScanUnfinished = defineError('WALLET_SCAN_UNFINISHED', {
  status: 503,
  text: () => 'the chain was reorganised again and again during the scan',
  hint: 'start the scan again: it goes on where it was',
})
