// Mnemonics, keys, addresses, and the blinding factors and commitments of outputs.
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { fromHex, toHex } from '../../../../src/lib/bytes.js'
import type { Dice } from '../dice.js'
import { attempt, type Family } from '../family.js'

const LENGTHS = [16, 20, 24, 28, 32]

/** 17 bytes: depth and four child numbers, hardened ones among them. */
export function randomIdentifier(dice: Dice): string {
  const depth = dice.below(5)
  const numbers = dice.many(4, () => (dice.chance(0.1) ? dice.child(2 ** 32) : dice.child()))
  const bytes = Buffer.alloc(17)
  bytes[0] = depth
  for (const [level, number] of numbers.slice(0, depth).entries()) bytes.writeUInt32BE(number, 1 + 4 * level)
  return bytes.toString('hex')
}

export const keysFamily: Family = {
  name: 'keys',
  weight: 12,
  async run({ dice, library, ask, same }) {
    const entropy = dice.bytes(dice.pick(LENGTHS))
    const identifiers = dice.many(3, () => randomIdentifier(dice))
    const addresses = dice.many(2, () => ({ account: dice.child(), index: dice.child() }))
    const theirs = ask('keys', { entropy: toHex(entropy), identifiers, addresses })
    const keychain = library.keychain.openKeychain(entropy)
    const ours = {
      mnemonic: library.keychain.mnemonicFromEntropy(entropy),
      rewindHash: toHex(keychain.rewindHash),
      keys: identifiers.map((identifier) => ({
        path: library.keychain.formatPath(fromHex(identifier)),
        key: toHex(library.crypto.scalarToBytes(keychain.deriveKey(fromHex(identifier)))),
      })),
      seeds: addresses.map(({ account, index }) => toHex(keychain.addressSeed(account, index))),
    }
    same('keys', { ok: ours }, await theirs)
  },
}

export const mnemonicsFamily: Family = {
  name: 'mnemonics',
  weight: 6,
  async run({ dice, library, ask, agree }) {
    const words = mistyped(dice, library.keychain.mnemonicFromEntropy(dice.bytes(dice.pick(LENGTHS))))
    const theirs = ask('mnemonic', { words })
    const ours = await attempt(() => ({ entropy: toHex(library.keychain.entropyFromMnemonic(words)) }))
    agree(words, ours, await theirs)
  },
}

function mistyped(dice: Dice, mnemonic: string): string {
  const words = mnemonic.split(' ')
  const at = dice.below(words.length)
  switch (dice.below(9)) {
    case 0:
      return words.with(at, dice.pick(wordlist)).join(' ')
    case 1:
      return words.with(at, `${words[at]}e`).join(' ')
    case 2:
      return words.toSpliced(at, 1).join(' ')
    case 3:
      return words.toSpliced(at, 3).join(' ')
    case 4:
      return [...words, dice.pick(wordlist)].join(' ')
    case 5:
      return words.with(at, words[at]!.toUpperCase()).join(' ')
    case 6:
      return dice.many(dice.pick([12, 15, 18, 21, 24]), () => dice.pick(wordlist)).join(' ')
    case 7:
      return `  ${words.join(dice.pick(['  ', '\t', '\n', '\r\n']))} `
    default:
      return mnemonic
  }
}

export const outputsFamily: Family = {
  name: 'outputs and switch blinds',
  weight: 10,
  async run({ dice, library, ask, same }) {
    const entropy = dice.bytes(dice.pick(LENGTHS))
    const outputs = dice.many(4, () => ({
      identifier: randomIdentifier(dice),
      value: `${dice.u64()}`,
      switch: dice.pick(['none', 'regular', 'regular'] as const),
    }))
    const theirs = ask('outputs', { entropy: toHex(entropy), outputs })
    const keychain = library.keychain.openKeychain(entropy)
    const ours = outputs.map(({ identifier, value, switch: type }) => ({
      blind: toHex(library.crypto.scalarToBytes(keychain.outputBlind(fromHex(identifier), BigInt(value), type))),
      commitment: toHex(keychain.commitOutput(fromHex(identifier), BigInt(value), type)),
    }))
    same('outputs', { ok: ours }, await theirs)
  },
}
