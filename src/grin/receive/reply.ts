import type { RandomBytes } from '../../lib/random-bytes.js'
import type { AddressKey } from '../kinds/index.js'
import type { Slate } from '../slate/index.js'
import { type AddressPrefix, armorSlate, armorSlateTo, type OpenedSlatepack } from '../slatepack/index.js'

export interface ReplyOptions {
  readonly prefix: AddressPrefix
  /** The wallet's address key (index 0), named as the sender of the reply. */
  readonly sender: AddressKey
  readonly random: RandomBytes
  /** The request. Omit it if the transport encrypts (gift wraps): the reply is then plain. */
  readonly request?: Pick<OpenedSlatepack, 'encrypted' | 'sender'>
}

/** The armored reply: encrypted if the request was encrypted and named a sender, otherwise plain. Specification: grin-wallet, 3.5, RULE. */
export async function replyArmor(slate: Slate, { prefix, sender, random, request }: ReplyOptions): Promise<string> {
  if (!request?.encrypted || !request.sender) return armorSlate(slate, { prefix, sender })
  return armorSlateTo([request.sender], slate, { prefix, sender, random })
}
