import { describe, expect, test } from 'vitest'
import {
  blake2b256,
  commit,
  compressedPublicKey,
  proveRange,
  rewindRange,
  scalarToBytes,
  verifyRange,
} from '../../../src/grin/crypto/index.js'
import { pathOf, rangeProofMessage } from '../../../src/grin/keychain/identifier.js'
import {
  entropyFromMnemonic,
  formatPath,
  identifierFromPath,
  mnemonicFromEntropy,
  openKeychain,
  outputIdentifier,
  type SwitchType,
} from '../../../src/grin/keychain/index.js'
import { childNode, masterNode } from '../../../src/grin/keychain/keychain.js'
import { takeKeychain } from '../../../src/grin/seedfile/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { Secret } from '../../../src/lib/secret.js'
import { bytes, casesOf, vectorFile } from '../crypto/vectors.js'

type Output = Record<
  'path' | 'identifier' | 'amount' | 'switch' | 'blind' | 'commit' | 'proof_message' | 'rewind_nonce' | 'private_nonce',
  string
>
type Wallet = Record<
  'name' | 'mnemonic' | 'entropy' | 'master_secret_key' | 'master_chain_code' | 'root_public_key' | 'rewind_hash',
  string
> & {
  identifiers: { path: string; identifier: string; node: { secret_key: string; chain_code: string } }[]
  outputs: Output[]
}

const { wallets } = vectorFile<{ wallets: Wallet[] }>('wallet/keychain')
const switchOf = (name: string): SwitchType => (name === 'Regular' ? 'regular' : 'none')

describe.each(wallets)('wallet $name', (wallet) => {
  const master = masterNode(bytes(wallet.entropy))
  const keychain = openKeychain(bytes(wallet.entropy))

  test('words and seed spell each other', () => {
    expect(toHex(entropyFromMnemonic(wallet.mnemonic))).toBe(wallet.entropy)
    expect(mnemonicFromEntropy(bytes(wallet.entropy))).toBe(wallet.mnemonic)
    expect(toHex(entropyFromMnemonic(`\n ${wallet.mnemonic.replaceAll(' ', ' \t ')}\n`))).toBe(wallet.entropy)
  })

  test('the master key and what follows from it', () => {
    expect(toHex(scalarToBytes(master.key))).toBe(wallet.master_secret_key)
    expect(toHex(master.chainCode)).toBe(wallet.master_chain_code)
    expect(toHex(compressedPublicKey(master.key))).toBe(wallet.root_public_key)
    expect(toHex(keychain.rewindHash)).toBe(wallet.rewind_hash)
  })

  test.each(wallet.identifiers)('key at $path', ({ path, identifier, node }) => {
    expect(toHex(identifierFromPath(path))).toBe(identifier)
    expect(formatPath(bytes(identifier))).toBe(path)
    const derived = pathOf(bytes(identifier)).reduce(childNode, master)
    expect(toHex(scalarToBytes(derived.key))).toBe(node.secret_key)
    expect(toHex(derived.chainCode)).toBe(node.chain_code)
    expect(keychain.deriveKey(bytes(identifier))).toBe(derived.key)
  })

  test.each(wallet.outputs)('output at $path of $amount, switch $switch', (output) => {
    const [identifier, value, kind] = [bytes(output.identifier), BigInt(output.amount), switchOf(output.switch)]
    const { commitment, blind, message, rewindNonce, privateNonce } = keychain.proofInput(identifier, value, kind)
    expect([scalarToBytes(blind), commitment].map(toHex)).toEqual([output.blind, output.commit])
    expect([message, rewindNonce, privateNonce].map((part) => toHex(part ?? new Uint8Array(0)))).toEqual([
      output.proof_message,
      output.rewind_nonce,
      output.private_nonce,
    ])
  })
})

type RangeProof = Record<'builder' | 'path' | 'identifier' | 'amount' | 'switch' | 'commit' | 'proof', string> & {
  rewind_by_owner_current_builder: null | { amount: string; identifier: string; path: string; switch: string }
}

describe('range proofs of a wallet', () => {
  const file = vectorFile<{ mnemonic: string; proofs: RangeProof[] }>('wallet/range_proofs')
  const owner = openKeychain(entropyFromMnemonic(file.mnemonic))
  const stranger = openKeychain(new Uint8Array(32).fill(7))

  test.each(file.proofs)('$builder proof of $amount at $path', (one) => {
    const [commitment, proof] = [bytes(one.commit), bytes(one.proof)]
    expect(verifyRange(commitment, proof)).toBe(true)
    expect(stranger.rewindOutput(commitment, proof)).toBeUndefined()

    const found = owner.rewindOutput(commitment, proof)
    const known = one.rewind_by_owner_current_builder
    if (!known) return expect(found).toBeUndefined()
    expect(found).toEqual({
      identifier: bytes(known.identifier),
      value: BigInt(known.amount),
      switchType: switchOf(known.switch),
    })
    const input = owner.proofInput(bytes(one.identifier), BigInt(one.amount), switchOf(one.switch))
    expect(toHex(proveRange(input))).toBe(one.proof)
  })

  test('an output is ours by its key, not because its proof holds our path, written with our view key', () => {
    const identifier = outputIdentifier(0, 7)
    const blind = 12_345n
    const commitment = commit(5n, blind)
    const rewindNonce = blake2b256(owner.rewindHash, commitment)
    const proof = proveRange({ value: 5n, blind, rewindNonce, message: rangeProofMessage(identifier, 'regular') })
    expect(rewindRange(commitment, proof, rewindNonce)?.value).toBe(5n)
    expect(owner.rewindOutput(commitment, proof)).toBeUndefined()
  })

  test('the proof of one output does not make another one ours', () => {
    const [first, second] = file.proofs
    expect(owner.rewindOutput(bytes(first?.commit ?? ''), bytes(second?.proof ?? ''))).toBeUndefined()
  })
})

type GrinOutput = Record<
  | 'seed'
  | 'key_id'
  | 'value'
  | 'root_pubkey'
  | 'master_key'
  | 'derived_key'
  | 'blind'
  | 'commit'
  | 'rewind_nonce'
  | 'private_nonce'
  | 'message'
  | 'proof',
  string
> & { switch: 0 | 1 }

describe('outputs made by grin', () => {
  test.each(casesOf<GrinOutput>('grin_outputs'))('output $key_id of $value, switch $switch', (one) => {
    const [identifier, value, kind] = [
      bytes(one.key_id),
      BigInt(one.value),
      one.switch === 1 ? 'regular' : 'none',
    ] as const
    const keychain = openKeychain(bytes(one.seed))
    expect(toHex(scalarToBytes(keychain.deriveKey(identifier)))).toBe(one.derived_key)
    const input = keychain.proofInput(identifier, value, kind)
    expect(toHex(scalarToBytes(input.blind))).toBe(one.blind)
    expect(keychain.outputBlind(identifier, value, kind)).toBe(input.blind)
    expect(toHex(keychain.commitOutput(identifier, value, kind))).toBe(one.commit)
    expect(toHex(input.commitment)).toBe(one.commit)
    expect(
      [input.rewindNonce, input.privateNonce, input.message].map((part) => toHex(part ?? new Uint8Array(0))),
    ).toEqual([one.rewind_nonce, one.private_nonce, one.message])
    const proof = proveRange(input)
    expect(toHex(proof)).toBe(one.proof)
    expect(keychain.rewindOutput(input.commitment, proof)).toMatchObject({ value, switchType: kind })
  })
})

describe('refusals', () => {
  test('words that are no mnemonic', () => {
    const good = mnemonicFromEntropy(new Uint8Array(16))
    for (const bad of ['', 'abandon', good.replace('about', 'abandon'), `${good} abandon`])
      expect(() => entropyFromMnemonic(bad)).toThrow(/not a mnemonic/)
  })

  test('words as people write them down are the same seed', () => {
    const entropy = new Uint8Array(32).map((_, at) => at * 7)
    const words = mnemonicFromEntropy(entropy).split(' ')
    const columns = words.slice(0, 12).map((word, at) => `${at + 1}. ${word}\t${at + 13}. ${words[at + 12]}`)
    for (const written of [
      words.join(' ').toUpperCase(),
      words.map((word) => word.slice(0, 4)).join(' '),
      words.map((word) => word.slice(0, 5)).join(', '),
      words.map((word, at) => `${at + 1}. ${word}`).join('\n'),
      words.map((word, at) => `${at + 1}) ${word}`).join(' '),
      words.map((word, at) => `${String(at + 1).padStart(2, '0')}${word}`).join('\u00a0'),
      words.map((word, at) => `#${at + 1}: ${word.slice(0, 4).toUpperCase()}`).join('\n'),
      columns.join('\n'),
    ])
      expect(entropyFromMnemonic(written)).toEqual(entropy)
  })

  test.each([
    [['abandon', 'abandn', 'able'], 'it has no seed word at place 2 of 3'],
    [['abandon', 'ability', 'abl'], 'it has no seed word at place 3 of 3'],
    [['2. ability', '1. abandn'], 'it has no seed word at place 1 of 2'],
    [['1. abandon', '3. able'], 'it has numbers that are not those of its words, from 1 on'],
    [['1. abandon', '1. able'], 'it has numbers that are not those of its words, from 1 on'],
    [['1. abandon', 'able'], 'it has numbers that are not those of its words, from 1 on'],
    [['abandon', 'able'], 'it has 2 words; seeds have 12, 15, 18, 21 or 24'],
    [Array(12).fill('abandon'), 'it has known words alone, but they spell no seed'],
  ])('of %j only the place is named', (words, text) => {
    let refusal: unknown
    try {
      entropyFromMnemonic(words.join(' '))
    } catch (thrown) {
      refusal = thrown
    }
    expect(refusal).toMatchObject({ code: 'BAD_MNEMONIC', message: expect.stringContaining(`not a mnemonic: ${text}`) })
    expect(String(refusal)).not.toMatch(/abandon|abandn|ability|able|abl\b/)
  })

  test('a seed of the wrong length', () => {
    expect(() => openKeychain(new Uint8Array(31))).toThrow(/16, 20, 24, 28 or 32 bytes, have 31/)
    expect(() => mnemonicFromEntropy(new Uint8Array(0))).toThrow(/have 0/)
  })

  test('paths that are no paths', () => {
    for (const bad of ['', 'm/', 'n/0', 'm/0/0/0/0/0', 'm/-1', 'm/01', 'm/4294967296'])
      expect(() => identifierFromPath(bad)).toThrow(/not a key path/)
    expect(() => outputIdentifier(0, -1)).toThrow(/not a key path/)
    expect(() => formatPath(new Uint8Array(16))).toThrow(/need 17 bytes, have 16/)
  })
})

test('an output of account 1 has depth three', () =>
  expect(toHex(outputIdentifier(1, 7))).toBe('0300000001000000000000000700000000'))

test('address seeds are hashes of keys below m/account/1', () => {
  const keychain = openKeychain(new Uint8Array(32))
  expect(toHex(keychain.addressSeed(0, 0))).not.toBe(toHex(keychain.addressSeed(0, 1)))
})

describe('a keychain that takes its seed', () => {
  test('has the keys of the seed, whose bytes are zero afterwards', () => {
    const entropy = new Uint8Array(32).fill(3)
    const keychain = takeKeychain(new Secret(entropy))
    expect(entropy).toEqual(new Uint8Array(32))
    const kept = openKeychain(new Uint8Array(32).fill(3))
    const identifier = outputIdentifier(0, 12)
    expect(keychain.proofInput(identifier, 5n)).toEqual(kept.proofInput(identifier, 5n))
    expect(keychain.addressSeed(0, 0)).toEqual(kept.addressSeed(0, 0))
    expect(keychain.subkey('a')).toEqual(kept.subkey('a'))
  })

  test('also when the seed is refused', () => {
    const entropy = new Uint8Array(31).fill(3)
    expect(() => takeKeychain(new Secret(entropy))).toThrow(/have 31/)
    expect(entropy).toEqual(new Uint8Array(31))
  })
})

test('subkeys differ by label and by seed', () => {
  const keys = [1, 2].flatMap((byte) =>
    ['a', 'b'].map((label) => openKeychain(new Uint8Array(32).fill(byte)).subkey(label)),
  )
  expect(new Set(keys.map(toHex)).size).toBe(4)
})
