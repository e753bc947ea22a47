// Slatepack and onion addresses: every spelling of a key, and the verdict on mistyped ones.
import { sha3_256 } from '@noble/hashes/sha3.js'
import { base32nopad, bech32, bech32m } from '@scure/base'
import { toHex } from '../../../../src/lib/bytes.js'
import type { Dice } from '../dice.js'
import { attempt, type Family } from '../family.js'

export const addressesFamily: Family = {
  name: 'addresses',
  weight: 5,
  async run({ dice, library, ask, same }) {
    const { addressOfSeed, ageRecipient, formatAddress, formatOnion } = library.slatepack
    const seed = dice.secret()
    const theirs = ask('address', { seed: toHex(seed) })
    const key = addressOfSeed(seed)
    const ours = {
      key: toHex(key),
      grin: formatAddress('grin', key),
      tgrin: formatAddress('tgrin', key),
      onion: formatOnion(key),
      age: ageRecipient(key),
    }
    same('address', { ok: ours }, await theirs)
  },
}

const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const ONION_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** One character changed, dropped, added, or all in another case. */
function mistyped(dice: Dice, text: string, letters: string): string {
  const [at, letter] = [dice.below(text.length), dice.pick([...letters])]
  switch (dice.below(7)) {
    case 0:
      return text.slice(0, at) + letter + text.slice(at + 1)
    case 1:
      return text.slice(0, at) + text.slice(at + 1)
    case 2:
      return text.slice(0, at) + letter + text.slice(at)
    case 3:
      return text.toUpperCase()
    case 4:
      return text.slice(0, at).toUpperCase() + text.slice(at)
    case 5:
      return dice.pick([` ${text}`, `${text} `, `${text}\n`, ''])
    default:
      return text
  }
}

/** Keys that are none, and keys of small order, beside honest ones. */
function oddKey(dice: Dice): Uint8Array {
  const small = new Uint8Array(32)
  small[0] = dice.below(2)
  return dice.chance(0.2) ? small : dice.bytes(dice.chance(0.2) ? 28 + dice.below(9) : 32)
}

export const mistypedAddressesFamily: Family = {
  name: 'mistyped addresses',
  weight: 6,
  async run({ dice, library, ask, agree }) {
    const { addressOfSeed, formatAddress, parseAddress } = library.slatepack
    const honest = formatAddress('grin', addressOfSeed(dice.secret()))
    const text = dice.chance(0.5)
      ? mistyped(dice, honest, LETTERS)
      : dice
          .pick([bech32, bech32, bech32, bech32m])
          .encodeFromBytes(dice.pick(['grin', 'grin', 'tgrin', 'age']), oddKey(dice))
    const theirs = ask('read-address', { text })
    const ours = await attempt(() => ({ key: toHex(parseAddress(text, 'grin')), prefix: 'grin' }))
    agree(text, ours, await theirs)
  },
}

/** The onion address of any 32 bytes, as a program writes it that does not look at the key. */
function onionText(key: Uint8Array): string {
  const check = sha3_256(Buffer.concat([Buffer.from('.onion checksum'), key, Uint8Array.of(3)])).slice(0, 2)
  return base32nopad.encode(Buffer.concat([key, check, Uint8Array.of(3)])).toLowerCase()
}

export const onionsFamily: Family = {
  name: 'onion addresses',
  weight: 3,
  async run({ dice, library, ask, agree }) {
    const { addressOfSeed, formatOnion, parseOnion } = library.slatepack
    const name = dice.chance(0.8) ? formatOnion(addressOfSeed(dice.secret())) : onionText(dice.bytes(32))
    const spelled = dice.pick([name, `http://${name}.onion`, `https://${name}.onion`, `${name}.onion`])
    const text = mistyped(dice, spelled, ONION_LETTERS)
    const theirs = ask('read-onion', { text })
    agree(text, await attempt(() => ({ key: toHex(parseOnion(text)) })), await theirs)
  },
}
