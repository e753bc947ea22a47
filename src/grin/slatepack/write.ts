// From slate to armor. Specification: grin-wallet, 3.
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { AddressKey } from '../kinds/index.js'
import { encodeSlate, type Slate } from '../slate/index.js'
import type { AddressPrefix } from './address.js'
import { encryptTo } from './age.js'
import { armor } from './armor.js'
import { type Envelope, encodeEnvelope, encodeInside } from './envelope.js'

/** How a plain slatepack is written. */
export interface WriteOptions {
  readonly prefix: AddressPrefix
  /** The wallet's address key, 32 bytes: the recipient of a reply. */
  readonly sender?: AddressKey
}

/** A plain envelope around a slate. */
const plainEnvelope = (slate: Slate, sender?: AddressKey): Envelope => ({
  mode: 'plain',
  ...(sender && { sender }),
  payload: encodeSlate(slate),
})

/** A plain slatepack as armored text. */
export const armorSlate = (slate: Slate, { prefix, sender }: WriteOptions): string =>
  armor(encodeEnvelope(plainEnvelope(slate, sender), prefix))

/** A slatepack encrypted to `recipients` (address keys, 32 bytes each, at least one), as armored text. */
export async function armorSlateTo(
  recipients: readonly AddressKey[],
  slate: Slate,
  { prefix, sender, random }: WriteOptions & { readonly random: RandomBytes },
): Promise<string> {
  if (recipients.length === 0) throw new RangeError('no recipient to encrypt to')
  const inside = encodeInside({ ...(sender && { sender }), recipients: [] }, encodeSlate(slate), prefix)
  const payload = await encryptTo(recipients, inside, random)
  return armor(encodeEnvelope({ mode: 'encrypted', payload }, prefix))
}
