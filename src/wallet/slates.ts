// Slates in and out: as slatepack text or as they are.
import type { AddressKey } from '../grin/kinds/index.js'
import { replyArmor } from '../grin/receive/index.js'
import { decodeSlate, digestSlate, type Slate } from '../grin/slate/index.js'
import { addressOfSeed, armorSlate, armorSlateTo, formatAddress, readSlatepack } from '../grin/slatepack/index.js'
import { toHex } from '../lib/bytes.js'
import { boundRandom, type WalletParts } from './parts.js'
import { readingRow } from './storage/tables.js'

/** An armored slatepack (with text around it, or in its JSON form), or a slate. */
export type SlateInput = string | Slate

/** What was in a slatepack. */
export interface OpenedSlate {
  readonly slate: Slate
  /** The slatepack was encrypted to an address of this wallet. */
  readonly encrypted: boolean
  /** The claimed sender, a slatepack address; unproven. */
  readonly sender?: string
}

/** A slate for the other side. */
export interface WrittenSlate {
  readonly slate: Slate
  /** Armored text for the other side. */
  readonly slatepack: string
}

interface Read extends OpenedSlate {
  readonly senderKey?: AddressKey
}

/** Throws a SLATEPACK_… error, SLATE_INVALID or SLATE_VERSION_UNSUPPORTED. */
export async function readSlate(parts: WalletParts, input: SlateInput): Promise<Read> {
  if (typeof input !== 'string') return { slate: input, encrypted: false }
  const { prefix } = parts.rules
  const decryptWith = async () => parts.addresses.keys(await parts.ledger.read())
  const { slate, encrypted, sender } = await readSlatepack(input, { prefix, decryptWith, single: true })
  return { slate, encrypted, ...(sender && { sender: formatAddress(prefix, sender), senderKey: sender }) }
}

const senderOf = ({ keychain }: WalletParts, account: number): AddressKey =>
  addressOfSeed(keychain.addressSeed(account, 0))

/** Encrypted to `recipient` (32 bytes), plain without one. Our address is in it, so that the other side can answer. */
export async function writeSlate(
  parts: WalletParts,
  slate: Slate,
  { account, recipient }: { readonly account: number; readonly recipient?: AddressKey | undefined },
): Promise<WrittenSlate> {
  const options = { prefix: parts.rules.prefix, sender: senderOf(parts, account) }
  const random = boundRandom(parts, `slatepack ${toHex(digestSlate(slate))}`)
  const slatepack = recipient
    ? await armorSlateTo([recipient], slate, { ...options, random })
    : armorSlate(slate, options)
  return { slate, slatepack }
}

/** The stored reply: encrypted if the request was and named its sender (specification: grin-wallet.md 3.5). */
export async function writeReply(
  parts: WalletParts,
  bytes: Uint8Array,
  { account, request }: { readonly account: number; readonly request: Read },
): Promise<WrittenSlate> {
  const slate = readingRow('the slate of a transaction', () => decodeSlate(bytes))
  const { encrypted, senderKey } = request
  const slatepack = await replyArmor(slate, {
    prefix: parts.rules.prefix,
    sender: senderOf(parts, account),
    random: boundRandom(parts, `slatepack ${toHex(digestSlate(slate))}`),
    request: { encrypted, ...(senderKey && { sender: senderKey }) },
  })
  return { slate, slatepack }
}
