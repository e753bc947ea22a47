// Slates in and out: as slatepack text or as they are.
import type { AddressKey } from '../grin/kinds/index.js'
import { decodeSlate, type Slate } from '../grin/slate/index.js'
import { formatAddress } from '../grin/slatepack/index.js'
import type { AddressPlace } from './model.js'
import type { WalletParts } from './parts.js'
import { rangesOf } from './rows.js'
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
  /** The address of this wallet that it was encrypted to. */
  readonly address?: AddressPlace
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

/** `expected`: the address it is probably encrypted to, tried first. Throws a SLATEPACK_… error, SLATE_INVALID or SLATE_VERSION_UNSUPPORTED. */
export async function readSlate(parts: WalletParts, input: SlateInput, expected?: AddressPlace): Promise<Read> {
  if (typeof input !== 'string') return { slate: input, encrypted: false }
  const { prefix } = parts.rules
  const ranges = rangesOf(await parts.ledger.read())
  const { slate, encrypted, sender, address } = await parts.signer.readSlatepack(input, { prefix, ranges, expected })
  return {
    slate,
    encrypted,
    ...(address && { address }),
    ...(sender && { sender: formatAddress(prefix, sender), senderKey: sender }),
  }
}

/** Encrypted to `recipient` (32 bytes), plain without one. Our address is in it, so that the other side can answer. */
export async function writeSlate(
  parts: WalletParts,
  slate: Slate,
  { account, recipient }: { readonly account: number; readonly recipient?: AddressKey | undefined },
): Promise<WrittenSlate> {
  const { prefix } = parts.rules
  const slatepack = await parts.signer.writeSlatepack(slate, { prefix, account, recipient })
  return { slate, slatepack }
}

/** The stored reply: encrypted if the request was and named its sender (specification: grin-wallet, 3.5). */
export async function writeReply(
  parts: WalletParts,
  bytes: Uint8Array,
  { account, request }: { readonly account: number; readonly request: Read },
): Promise<WrittenSlate> {
  const slate = readingRow('the slate of a transaction', () => decodeSlate(bytes))
  const { encrypted, senderKey } = request
  const slatepack = await parts.signer.writeSlatepack(slate, {
    prefix: parts.rules.prefix,
    account,
    request: { encrypted, ...(senderKey && { sender: senderKey }) },
  })
  return { slate, slatepack }
}
