// S2 or I2 in, the final slate and the transaction out. A context signs once: it is removed in the commit that stores the final slate.
import type { Commitment } from '../../grin/kinds/index.js'
import { paymentProofJson } from '../../grin/proof/index.js'
import { digestSlate, type Slate } from '../../grin/slate/index.js'
import { splitFee, type Transaction } from '../../grin/tx/index.js'
import { fromHex, toHex } from '../../lib/bytes.js'
import { changeFor, chooseCoins, spendOf } from '../coins/choose.js'
import { walletSlate, walletSlateUnknown, walletSlateUsed, walletStorageDamaged } from '../errors.js'
import type { Draft } from '../ledger.js'
import type { OwnOutput, StoredProof, WalletOutput, WalletTransaction } from '../model.js'
import type { WalletParts } from '../parts.js'
import {
  addUnconfirmed,
  areFree,
  checkTtl,
  finalSlateOf,
  heightIn,
  heightOf,
  lockInputs,
  retryWhileCoinsMove,
  storedSlate,
  sumOf,
  transactionOf,
  transactionOfSlate,
} from '../rows.js'
import { readSlate, type SlateInput, type WrittenSlate, writeSlate } from '../slates.js'
import type { SlateContext } from '../storage/tables.js'

/** A complete payment. The side that finalizes posts the transaction. */
export interface Finalized extends WrittenSlate {
  readonly slateId: string
  readonly transaction: Transaction
  /** Kernel excess, 33 bytes: finds the payment on the chain. */
  readonly excess: Commitment
  /** Present if the S1 asked for a payment proof. */
  readonly proof?: StoredProof
}

/** What is needed to sign: the entry and its context as they are before the signature. */
interface Open {
  readonly row: WalletTransaction
  readonly context: SlateContext
}

/**
 * Completes the other side's S2 or I2 and stores the result before it returns. The same slate again gives the stored result; another one
 * is refused with WALLET_SLATE_USED. After any other error a valid slate still finalizes. Throws WALLET_SLATE, WALLET_SLATE_UNKNOWN,
 * WALLET_SLATE_EXPIRED, PAYER_REPLY, PAYER_PROOF, an I2_… refusal, and with a late lock the errors of `send`.
 */
export async function finalize(parts: WalletParts, input: SlateInput): Promise<Finalized> {
  const { slate } = await readSlate(parts, input)
  if (slate.state !== 'S2' && slate.state !== 'I2')
    throw walletSlate(`it is in state ${slate.state}, S2 and I2 can be finalized`)
  const row = await retryWhileCoinsMove(() => sign(parts, slate))
  return finalizedOf(parts, row)
}

/** Undefined: another payment took the coins of a late lock meanwhile. */
async function sign(parts: WalletParts, slate: Slate): Promise<WalletTransaction | undefined> {
  const known = await parts.ledger.change((draft) => openOrStored(draft, slate))
  if ('stored' in known) return known.stored
  const finish = slate.state === 'S2' ? finalizeSend : finalizeInvoiceSlate
  const changes = await finish(parts, known, slate)
  return parts.ledger.change((draft) => {
    const now = openOrStored(draft, slate)
    if ('stored' in now) return now.stored
    const row = changes(draft, now)
    if (!row) return undefined
    draft.put('transaction', { ...row, request: toHex(digestSlate(slate)) })
    draft.remove('context', slate.id)
    return draft.get('transaction', `${row.id}`)
  })
}

/** Throws WALLET_SLATE_UNKNOWN, WALLET_SLATE_USED or WALLET_SLATE_EXPIRED. */
function openOrStored(draft: Draft, slate: Slate): Open | { readonly stored: WalletTransaction } {
  const isSend = slate.state === 'S2'
  const row = transactionOf(draft, slate.id, isSend ? 'sent' : 'received')
  // A complete one too: its coins are free, and may pay for something else by now.
  if (row.status === 'cancelled') throw walletSlateUsed(slate.id, 'its payment was cancelled')
  if (row.written === (isSend ? 'S3' : 'I3')) {
    if (row.request === toHex(digestSlate(slate))) return { stored: row }
    throw walletSlateUsed(slate.id, 'another answer was finalized')
  }
  const context = draft.get('context', slate.id)
  if (context?.flow !== (isSend ? 'send' : 'invoice')) throw walletSlateUnknown(slate.id)
  checkTtl(slate.ttl, heightIn(draft))
  if (row.ttl !== undefined) checkTtl(BigInt(row.ttl), heightIn(draft))
  return { row, context }
}

async function finalizedOf(parts: WalletParts, row: WalletTransaction): Promise<Finalized> {
  const slate = finalSlateOf(row)
  if (!slate) throw walletStorageDamaged(`transaction/${row.id}`)
  return {
    slateId: slate.id,
    transaction: transactionOfSlate(slate),
    excess: fromHex(row.excess ?? ''),
    ...(row.proof && { proof: row.proof }),
    ...(await writeSlate(parts, slate, { account: row.account })),
  }
}

// S2 in, S3 and transaction out; with a late lock the coins are chosen here. Specification: grin-wallet, 4.2.
interface ChosenCoins {
  readonly inputs: readonly WalletOutput[]
  readonly change: readonly OwnOutput[]
}

/** Signs, and returns how the entry changes: not at all if the coins of a late lock were taken meanwhile. Throws PAYER_REPLY or PAYER_PROOF. */
async function finalizeSend(parts: WalletParts, open: Open, slate: Slate) {
  const { signer, ledger, rules } = parts
  const { account, fee = 0n, slate: bytes = new Uint8Array() } = open.row
  const coins = await ledger.change((draft) => coinsOf(parts, draft, open))
  const final = await signer.finishSend({
    account,
    s1: storedSlate(open.row, bytes),
    s2: slate,
    spend: spendOf(coins.inputs, coins.change, fee),
    sealed: open.context.sealed,
  })
  return (draft: Draft, now: Open): WalletTransaction | undefined => {
    const row: WalletTransaction = {
      ...now.row,
      written: 'S3',
      excess: toHex(final.excess),
      slate: final.bytes,
      ...(final.proof && { proof: paymentProofJson(final.proof, rules.prefix) }),
    }
    return open.context.late ? lockChosen(draft, row, coins) : row
  }
}

/** The locked coins of the S1, or with a late lock those that fit its fee. */
async function coinsOf({ signer }: WalletParts, draft: Draft, { row, context: { late } }: Open): Promise<ChosenCoins> {
  const { account, amount, fee = 0n } = row
  if (late) {
    const { coins, change } = chooseCoins(draft, account, { ...late, amount, fixedFee: fee })
    return { inputs: coins, change: await changeFor(signer, draft, account, change) }
  }
  const inputs = row.inputs.flatMap((commitment) => draft.get('output', commitment) ?? [])
  if (inputs.length < row.inputs.length) throw walletStorageDamaged(`inputs of transaction/${row.id}`)
  return { inputs, change: row.outputs }
}

function lockChosen(
  draft: Draft,
  row: WalletTransaction,
  { inputs, change }: ChosenCoins,
): WalletTransaction | undefined {
  if (!areFree(draft, inputs)) return undefined
  lockInputs(draft, inputs, row.id)
  addUnconfirmed(draft, change, row)
  return {
    ...row,
    inputs: inputs.map(({ commitment }) => commitment),
    outputs: change,
    credited: sumOf(change),
    debited: sumOf(inputs),
  }
}

// I2 in, I3 and transaction out. Specification: grin-wallet, 4.3.
/** Signs, and returns how the entry changes. Throws an I2_… refusal or a TX_… failure. */
async function finalizeInvoiceSlate({ signer, ledger }: WalletParts, { row, context }: Open, slate: Slate) {
  const [output] = row.outputs
  const { sealed, rangeProof } = context
  if (!output || !rangeProof) throw walletStorageDamaged(`context/${slate.id}`)
  const tip = heightOf(await ledger.read())
  const final = await signer.finishInvoice({ i2: slate, output, rangeProof, sealed, tip })
  return (_: Draft, now: Open): WalletTransaction => ({
    ...now.row,
    written: 'I3',
    fee: splitFee(slate.fee).fee,
    excess: toHex(final.excess),
    slate: final.bytes,
  })
}
