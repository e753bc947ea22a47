// Scans the chain's unspent outputs page by page. After every page one commit stores what was found and where the next page begins, so a
// scan goes on where it was, whatever ended it.
import { identifierFromPath, pathOf } from '../../grin/keychain/index.js'
import { requireOwnChain } from '../chain/own-chain.js'
import { canBeMined, place, type SettleContext, spendInputs } from '../chain/settle.js'
import { walletNodeFailed, walletScanUnfinished } from '../errors.js'
import type { Draft, WalletState } from '../ledger.js'
import type { SeenBlock, WalletAccount, WalletOutput, WalletTransaction } from '../model.js'
import type { NodeCall, WalletNode } from '../node/node.js'
import type { WalletParts } from '../parts.js'
import { countLook, lookupHeightIn, nextTransactionId, putAnchor } from '../rows.js'
import type { FoundOutput } from '../signer/signer.js'
import { ONLY, type ScanCheckpoint } from '../storage/tables.js'
import { firstKeyAfter, newAccount } from '../verbs/accounts.js'
import { findOwn, type Sift } from './rewind.js'

/** Which part of the chain is scanned, and how. */
export interface ScanOptions extends NodeCall {
  readonly node: WalletNode
  /** The first block to look at; default 1. Ignored while an unfinished scan goes on. */
  readonly fromHeight?: number
  /** The first output index to look at, instead of a height. */
  readonly fromIndex?: number
  /** Outputs per request, 1 … 10000; default 1000, about 1.6 MB of JSON. */
  readonly pageSize?: number
  /** Called after each page is stored. */
  readonly onProgress?: (progress: ScanProgress) => void
  /** Rewinds in other threads. */
  readonly sift?: Sift
  /**
   * How many addresses of each account were handed out; default: as many as are stored, 1 in a new storage. The chain does not show them,
   * and only for those that were is a payment proof signed or an encrypted slatepack opened.
   */
  readonly addresses?: number
  /** Forgets how far an unfinished scan was. */
  readonly restart?: boolean
  /**
   * Takes the node's chain for that of this wallet, whatever it saw before: after a private chain was replaced by a new one, or a node lied.
   * A wallet of mainnet or testnet refuses another first block all the same.
   */
  readonly acceptChain?: boolean
}

/** How far a scan is. */
export interface ScanProgress {
  /** Outputs that were looked at, including those before an interruption. */
  readonly seen: number
  /** Own outputs among them. */
  readonly found: number
  /** The index at which the next page begins. */
  readonly next: number
  /** The last index of the chain. */
  readonly highest: number
}

/** Forks during one scan; each makes its last hour be looked at again. */
const MOST_FORKS = 10
/** Blocks before the tip of the scan's beginning that are scanned again after a fork. */
const FORK_MARGIN = 60
/** More than chains need at the default size of a page. */
const MOST_PAGES = 100_000

/**
 * Scans to the newest output. The checkpoint stays until `endScan`. Throws the node's errors, WALLET_SCAN_UNFINISHED, or the signal's
 * reason.
 */
export async function scan(parts: WalletParts, options: ScanOptions): Promise<ScanProgress> {
  let checkpoint = await startScan(parts, options)
  for (let forks = 0; forks < MOST_FORKS; forks++) {
    const progress = await scanPages(parts, checkpoint, options)
    const again = await afterFork(parts, options)
    if (!again) return progress
    checkpoint = again
  }
  throw walletScanUnfinished()
}

/** Forgets the checkpoint: the next scan begins anew. No account, found or not, begins at a key that may have been used before. */
export const endScan = ({ ledger, now }: WalletParts, { addresses = 1 }: ScanOptions): Promise<void> =>
  ledger.change((draft) => {
    draft.remove('scan', ONLY)
    for (const account of draft.rows('account'))
      draft.put('account', {
        ...account,
        nextOutput: account.nextOutput === 0 ? firstKeyAfter(-1, now()) : account.nextOutput,
        addresses: Math.max(account.addresses, addresses),
      })
    const identity = draft.get('identity', ONLY)
    if (identity) draft.put('identity', { ...identity, isRestored: true })
  })

/** The stored checkpoint, or a new one. Throws WALLET_NODE_CHAIN or WALLET_NODE_BEHIND before anything is stored. */
async function startScan(parts: WalletParts, options: ScanOptions): Promise<ScanCheckpoint> {
  const { node, fromHeight = 1, fromIndex, acceptChain = false, restart = acceptChain, signal } = options
  const state = await parts.ledger.read()
  const { tip, anchor } = await requireOwnChain(node, state, { chainType: parts.chainType, acceptChain, signal })
  const stored = state.scan.get(ONLY)
  if (stored && !restart) return stored
  const next = fromIndex ?? (await node.outputRange(Math.max(1, fromHeight), { signal })).first
  return parts.ledger.change((draft) => {
    // Another window may have begun one meanwhile: to replace it would forget what it has not looked at.
    const other = draft.get('scan', ONLY)
    if (other && !restart) return other
    putAnchor(draft, anchor)
    const checkpoint = { next, seen: 0, found: 0, tip, counters: countersOf(draft) }
    draft.put('scan', checkpoint)
    return checkpoint
  })
}

const countersOf = (draft: Draft): ScanCheckpoint['counters'] =>
  draft.rows('account').map(({ index, nextOutput }) => ({ account: index, next: nextOutput }))

async function scanPages(parts: WalletParts, start: ScanCheckpoint, options: ScanOptions): Promise<ScanProgress> {
  const { node, pageSize = 1000, sift, signal, onProgress } = options
  let { next } = start
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    signal?.throwIfAborted()
    const page = await node.outputPage(next, undefined, pageSize, { signal })
    const found = await findOwn(parts.signer, page.outputs, { sift, signal })
    const isLast = page.last >= page.highest || page.outputs.length === 0
    if (!isLast && page.last < next) throw walletNodeFailed('its pages of outputs do not move forward')
    next = Math.max(next, page.last + 1)
    const checkpoint = await storePage(parts, { next, seen: page.outputs.length, found })
    const progress = { seen: checkpoint.seen, found: checkpoint.found, next, highest: page.highest }
    onProgress?.(progress)
    if (isLast) return progress
  }
  throw walletNodeFailed('its pages of outputs do not end')
}

interface ScannedPage {
  readonly next: number
  readonly seen: number
  readonly found: readonly FoundOutput[]
}

/** One commit per page: what was found, and where to go on. */
function storePage(parts: WalletParts, { next, seen, found }: ScannedPage): Promise<ScanCheckpoint> {
  const { ledger, rules, now } = parts
  return ledger.change((draft) => {
    const before = draft.get('scan', ONLY)
    if (!before) throw walletScanUnfinished()
    countLook(draft)
    for (const output of found) takeFound(draft, output, before, { rules, now: now() })
    const checkpoint = { ...before, next, seen: before.seen + seen, found: before.found + found.length }
    draft.put('scan', checkpoint)
    return checkpoint
  })
}

/** If the tip of the scan's beginning is gone, outputs may stand at other indexes: the checkpoint from before the fork. */
async function afterFork(parts: WalletParts, { node, signal }: ScanOptions): Promise<ScanCheckpoint | undefined> {
  const tipBefore = tipOf(await parts.ledger.read())
  if ((await node.blockHash(tipBefore.height, { signal })) === tipBefore.hash) return undefined
  const tip = await node.tip({ signal })
  const from = Math.max(1, Math.min(tipBefore.height, tip.height) - FORK_MARGIN)
  const { first } = await node.outputRange(from, { signal })
  return parts.ledger.change((draft) => {
    const before = draft.get('scan', ONLY)
    if (!before) throw walletScanUnfinished()
    const checkpoint = { ...before, next: first, tip }
    draft.put('scan', checkpoint)
    return checkpoint
  })
}

function tipOf({ scan: scans }: WalletState): SeenBlock {
  const checkpoint = scans.get(ONLY)
  if (!checkpoint) throw walletScanUnfinished()
  return checkpoint.tip
}

// Takes outputs that a scan found into the wallet's rows. Specification: grin-wallet, 1.6, 1.7 and 10.2.
/** Adds or corrects the row of an output, its entry of the log and the counter of its account. Returns whether it was unknown. */
function takeFound(draft: Draft, found: FoundOutput, scan: ScanCheckpoint, context: SettleContext): boolean {
  const [account = 0, , index = 0] = pathOf(identifierFromPath(found.path))
  raiseCounter(draft, { account, key: index, now: context.now }, scan)
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

interface FoundKey {
  readonly account: number
  readonly key: number
  /** Epoch milliseconds. */
  readonly now: number
}

function raiseCounter(draft: Draft, { account: index, key, now }: FoundKey, { counters }: ScanCheckpoint): void {
  const account = draft.get('account', `${index}`) ?? restoredAccount(draft, index)
  const before = counters.find((one) => one.account === index)?.next ?? 0
  const next = key < before ? account.nextOutput : firstKeyAfter(key, now)
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
  spendInputs(draft, maker, chain.height)
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
