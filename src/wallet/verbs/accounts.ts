// Accounts and addresses: m/account/0/index and m/account/1/index.
import { formatAddress } from '../../grin/slatepack/index.js'
import { walletAccountExists, walletNoAccount } from '../errors.js'
import type { Draft } from '../ledger.js'
import { MOST_ADDRESSES, type WalletAccount } from '../model.js'
import type { WalletParts } from '../parts.js'
import { accountIn } from '../rows.js'
import { ONLY } from '../storage/tables.js'

export const DEFAULT_LABEL = 'default'
/** BIP32 indexes of child keys that are not hardened end here. */
const MOST_ACCOUNTS = 2 ** 31

const labelled = (draft: Draft, label: string): WalletAccount | undefined =>
  draft.rows('account').find((account) => account.label === label)

/** A row for an account that has used nothing yet, as far as this storage knows. */
export const newAccount = (index: number, label: string): WalletAccount => ({
  index,
  label,
  nextOutput: 0,
  addresses: 1,
})

/**
 * Keys that are skipped after a restore: those that were handed out before the loss, and are not on the chain, must not be handed out
 * again. A chain shows no spent outputs, so an account that was emptied looks like one that was never used.
 */
const SKIPPED_KEYS = 10_000
/** Epoch milliseconds of a time before the first restore that counts them. */
const COUNTED_FROM = Date.UTC(2026, 0)
/** More than a wallet hands out. */
const KEYS_PER_MINUTE = 16
/** Half a year of minutes, then it begins again: 2^31 keys last for hundreds of restores. */
const MOST_KEYS_OF_TIME = 2 ** 22
/** The largest index of a child key that is not hardened. */
const MOST_KEYS = 2 ** 31

/**
 * The first key after a restore at this time (epoch milliseconds), behind the highest one on the chain (-1: none). It depends on the time: of
 * two restores with nothing mined in between, the second must not hand out the keys of the first.
 */
export function firstKeyAfter(highest: number, now: number): number {
  const minutes = Math.max(0, Math.floor((now - COUNTED_FROM) / 60_000))
  return Math.min(MOST_KEYS, highest + 1 + SKIPPED_KEYS + ((minutes * KEYS_PER_MINUTE) % MOST_KEYS_OF_TIME))
}

/** The account after the highest one. Throws WALLET_ACCOUNT_EXISTS for a label that is taken. */
export const createAccount = ({ ledger, now }: WalletParts, label: string): Promise<WalletAccount> =>
  ledger.change((draft) => {
    if (labelled(draft, label)) throw walletAccountExists(label)
    const index = Math.max(-1, ...draft.rows('account').map((account) => account.index)) + 1
    if (index >= MOST_ACCOUNTS) throw new RangeError('no account is left')
    const isRestored = draft.get('identity', ONLY)?.isRestored === true
    const account = { ...newAccount(index, label), nextOutput: isRestored ? firstKeyAfter(-1, now()) : 0 }
    draft.put('account', account)
    return account
  })

/** Throws WALLET_NO_ACCOUNT, or WALLET_ACCOUNT_EXISTS for a label that another account has. */
export const labelAccount = ({ ledger }: WalletParts, index: number, label: string): Promise<WalletAccount> =>
  ledger.change((draft) => {
    const holder = labelled(draft, label)
    if (holder && holder.index !== index) throw walletAccountExists(label)
    const account = { ...accountIn(draft, index), label }
    draft.put('account', account)
    return account
  })

/** Throws RangeError for what is no number of addresses. */
export function checkAddressCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST_ADDRESSES)
    throw new RangeError(`addresses: ${count}, 1 to ${MOST_ADDRESSES} are possible`)
}

const textOf = async ({ signer, rules }: WalletParts, account: number, index: number): Promise<string> =>
  formatAddress(rules.prefix, await signer.address(account, index))

/** The slatepack address at an index that was handed out; index 0 always is. Throws WALLET_NO_ACCOUNT. */
export async function addressAt(parts: WalletParts, account: number, index: number): Promise<string> {
  const row = (await parts.ledger.read()).account.get(`${account}`)
  if (!row) throw walletNoAccount(`${account}`)
  if (!Number.isSafeInteger(index) || index < 0 || index >= row.addresses)
    throw new RangeError(`address ${index} of account ${account} was not handed out`)
  return textOf(parts, account, index)
}

/** Hands out the next address of an account, for a payer who asks it for a proof. Throws WALLET_NO_ACCOUNT. */
export async function nextAddress(parts: WalletParts, account: number) {
  const index = await parts.ledger.change((draft) => {
    const row = accountIn(draft, account)
    checkAddressCount(row.addresses + 1)
    draft.put('account', { ...row, addresses: row.addresses + 1 })
    return row.addresses
  })
  return { index, address: await textOf(parts, account, index) }
}
