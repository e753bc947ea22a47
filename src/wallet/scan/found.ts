// Takes outputs that a scan found into the wallet's rows. Specification: grin-wallet, 1.6, 1.7 and 10.2.
import { identifierFromPath, pathOf } from '../../grin/keychain/index.js'
import { canBeMined, place, type SettleContext } from '../chain/settle.js'
import type { Draft } from '../ledger.js'
import type { WalletAccount, WalletOutput, WalletTransaction } from '../model.js'
import { lookupHeightIn, nextTransactionId } from '../rows.js'
import type { ScanCheckpoint } from '../storage/tables.js'
import { newAccount, SKIPPED_KEYS } from '../verbs/accounts.js'
import type { FoundOutput } from './rewind.js'

/** The largest index of a child key that is not hardened. */
const MOST_KEYS = 2 ** 31

/** Adds or corrects the row of an output, its entry of the log and the counter of its account. Returns whether it was unknown. */
export function takeFound(draft: Draft, found: FoundOutput, scan: ScanCheckpoint, context: SettleContext): boolean {
  const [account = 0, , index = 0] = pathOf(identifierFromPath(found.path))
  raiseCounter(draft, account, index, scan)
  const known = knownRow(draft, found)
  if (known) correct(draft, known, found, context)
  else add(draft, account, found, context)
  return known === undefined
}

/** The row of an output, or a new one if its cancelled transaction was mined nevertheless. */
function knownRow(draft: Draft, { commitment, path, value }: FoundOutput): WalletOutput | undefined {
  const known = draft.get('output', commitment)
  const maker = known
    ? draft.get('transaction', `${known.transaction}`)
    : draft.rows('transaction').find(({ outputs }) => outputs.some((own) => own.commitment === commitment))
  // Another copy of this wallet used the same key for the same amount.
  if (!maker || !canBeMined(maker)) return undefined
  const place = { account: maker.account, transaction: maker.id, height: 0, coinbase: false, lockHeight: 0 }
  return known ?? { commitment, path, value, status: 'unconfirmed', ...place }
}

function raiseCounter(draft: Draft, index: number, key: number, { counters }: ScanCheckpoint): void {
  const account = draft.get('account', `${index}`) ?? restoredAccount(draft, index)
  const before = counters.find((one) => one.account === index)?.next ?? 0
  const next = key < before ? account.nextOutput : Math.min(MOST_KEYS, key + 1 + SKIPPED_KEYS)
  draft.put('account', { ...account, nextOutput: Math.max(account.nextOutput, next) })
}

/** Labelled as grin-wallet does: account_ and the number of accounts so far. */
function restoredAccount(draft: Draft, index: number): WalletAccount {
  const accounts = draft.rows('account')
  const taken = new Set(accounts.map(({ label }) => label))
  let count = accounts.length
  while (taken.has(`account_${count}`)) count += 1
  return newAccount(index, `account_${count}`)
}

function correct(draft: Draft, known: WalletOutput, { chain }: FoundOutput, context: SettleContext): void {
  place(draft, known, chain, context)
  const maker = draft.get('transaction', `${known.transaction}`)
  if (!maker || maker.status === 'confirmed') return
  const { cancelledHeight: _, ...rest } = maker
  draft.put('transaction', { ...rest, status: 'confirmed', height: chain.height, confirmedAt: context.now })
}

function add(
  draft: Draft,
  account: number,
  { commitment, path, value, chain }: FoundOutput,
  context: SettleContext,
): void {
  const row: WalletTransaction = {
    id: nextTransactionId(draft),
    account,
    kind: chain.coinbase ? 'coinbase' : 'received',
    status: 'confirmed',
    amount: value,
    credited: value,
    debited: 0n,
    createdAt: context.now,
    confirmedAt: context.now,
    height: chain.height,
    minHeight: lookupHeightIn(draft),
    inputs: [],
    outputs: [{ commitment, path, value }],
  }
  draft.put('transaction', row)
  const output = { commitment, path, value, account, coinbase: chain.coinbase, transaction: row.id }
  place(draft, { ...output, status: 'unspent', height: chain.height, lockHeight: 0 }, chain, context)
}
