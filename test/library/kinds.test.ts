// Values of one shape and different meanings do not stand for each other: the compiler refuses them (this file is type-checked by
// `npm run check`), and the library does at run time, where the types were lost.
import { describe, expect, expectTypeOf, test } from 'vitest'
import type * as crypto from '../../src/library/crypto.js'
import {
  type Commitment,
  commit,
  proveRange,
  type RangeProof,
  rewindRange,
  type signPartial,
} from '../../src/library/crypto.js'
import {
  entropyFromMnemonic,
  type Keychain,
  mnemonicFromEntropy,
  newSeed,
  openKeychain,
  outputIdentifier,
  type Subkey,
  type ViewKey,
  type WalletSeed,
} from '../../src/library/keychain.js'
import { completeProof, makeReceiverProof, paymentProofMessage } from '../../src/library/proof.js'
import { replyArmor } from '../../src/library/receive.js'
import { sealSeed } from '../../src/library/seedfile.js'
import { createS1, planSpend } from '../../src/library/send.js'
import { encodeSlate, formatSlateJson } from '../../src/library/slate.js'
import {
  type AddressKey,
  type AddressSeed,
  addressOfSeed,
  ageIdentity,
  ageRecipient,
  armorSlate,
  armorSlateTo,
  type DecryptionKeys,
  encodeEnvelope,
  formatAddress,
  formatEnvelopeJson,
  formatOnion,
  parseAddress,
  readSlatepack,
} from '../../src/library/slatepack.js'

const keys = openKeychain(newSeed(32, (length) => new Uint8Array(length).fill(9)))
const seed = keys.addressSeed(0, 0)
const own = addressOfSeed(seed)
const coins = [{ identifier: outputIdentifier(0, 0), value: 60_000_000_000n }]
const spend = planSpend(coins, 1_000_000_000n, outputIdentifier(0, 1))
const { slate } = createS1({ amount: 1_000_000_000n, spend })

/** What a program in JavaScript passes, or one whose types were lost. */
const untyped = (value: Uint8Array): Uint8Array => value
const lost = untyped(seed)

describe('for the compiler', () => {
  test('no kind of bytes stands for another', () => {
    interface Kinds {
      walletSeed: WalletSeed
      addressSeed: AddressSeed
      addressKey: AddressKey
      viewKey: ViewKey
      subkey: Subkey
      rewindNonce: crypto.RewindNonce
      privateNonce: crypto.PrivateNonce
      offset: crypto.Offset
      publicKey: crypto.PublicKey
      commitment: Commitment
      rangeProof: RangeProof
      kernelSignature: crypto.KernelSignature
    }
    type Confused = { [A in keyof Kinds]: { [B in keyof Kinds]: Kinds[A] extends Kinds[B] ? B : never }[keyof Kinds] }
    expectTypeOf<Confused>().toEqualTypeOf<{ [A in keyof Kinds]: A }>()
  })

  test('no kind of number stands for another', () => {
    interface Kinds {
      amount: crypto.Amount
      secretKey: crypto.SecretKey
      secretNonce: crypto.SecretNonce
      blindingFactor: crypto.BlindingFactor
    }
    type Confused = { [A in keyof Kinds]: { [B in keyof Kinds]: Kinds[A] extends Kinds[B] ? B : never }[keyof Kinds] }
    expectTypeOf<Confused>().toEqualTypeOf<{ [A in keyof Kinds]: A }>()
  })

  test('what the library makes has its kind, and what asks for it asks for that kind', () => {
    expectTypeOf<ReturnType<Keychain['addressSeed']>>().toEqualTypeOf<AddressSeed>()
    expectTypeOf<Keychain['rewindHash']>().toEqualTypeOf<ViewKey>()
    expectTypeOf(entropyFromMnemonic).returns.toEqualTypeOf<WalletSeed>()
    expectTypeOf(parseAddress).returns.toEqualTypeOf<AddressKey>()
    expectTypeOf<AddressSeed>().not.toExtend<NonNullable<Parameters<typeof armorSlate>[1]['sender']>>()
    expectTypeOf<AddressSeed>().not.toExtend<Parameters<typeof armorSlateTo>[0][number]>()
    expectTypeOf<AddressSeed>().not.toExtend<Parameters<typeof replyArmor>[1]['sender']>()
    expectTypeOf<AddressSeed>().not.toExtend<Parameters<typeof formatAddress>[1]>()
    expectTypeOf<AddressKey>().not.toExtend<Parameters<typeof addressOfSeed>[0]>()
    expectTypeOf<AddressKey>().not.toExtend<DecryptionKeys[number]>()
    expectTypeOf<WalletSeed>().not.toExtend<Parameters<typeof addressOfSeed>[0]>()
    expectTypeOf<ViewKey>().not.toExtend<Parameters<typeof openKeychain>[0]>()
    expectTypeOf<crypto.SecretNonce>().not.toExtend<Parameters<typeof signPartial>[0]['secretKey']>()
    expectTypeOf<crypto.Amount>().not.toExtend<Parameters<typeof commit>[1]>()
    expectTypeOf<crypto.BlindingFactor>().not.toExtend<Parameters<typeof commit>[0]>()
    expectTypeOf<crypto.PrivateNonce>().not.toExtend<Parameters<typeof rewindRange>[2]>()
  })

  test('plain bytes and numbers, as read from a file, are taken', () => {
    expectTypeOf<Uint8Array>().toExtend<AddressKey>()
    expectTypeOf<Uint8Array>().toExtend<WalletSeed>()
    expectTypeOf<bigint>().toExtend<crypto.BlindingFactor>()
  })
})

describe('at run time', () => {
  const PLACES: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
    'armorSlate sender': (sender) => armorSlate(slate, { prefix: 'grin', sender }),
    'armorSlateTo recipient': (recipient) => armorSlateTo([recipient], slate, { prefix: 'grin' }),
    'armorSlateTo sender': (sender) => armorSlateTo([own], slate, { prefix: 'grin', sender }),
    'replyArmor sender': (sender) => replyArmor(slate, { prefix: 'grin', sender }),
    formatAddress: (key) => formatAddress('grin', key),
    formatOnion,
    ageRecipient,
    encodeEnvelope: (sender) => encodeEnvelope({ mode: 'plain', sender, payload: encodeSlate(slate) }, 'grin'),
    formatEnvelopeJson: (sender) => formatEnvelopeJson({ mode: 'plain', sender, payload: encodeSlate(slate) }, 'grin'),
    'createS1 proof': (recipient) => createS1({ amount: 1n, spend, proof: { recipient, seed } }),
    'createS1 proof, by its first name': (from) => createS1({ amount: 1n, spend, proof: { from, seed } }),
    'encodeSlate proof': (key) => encodeSlate({ ...slate, proof: { sender: own, receiver: key } }),
    'formatSlateJson proof': (key) => formatSlateJson({ ...slate, proof: { sender: key, receiver: own } }),
    paymentProofMessage: (sender) => paymentProofMessage({ amount: slate.amount, excess: new Uint8Array(33), sender }),
  }

  test.each(Object.entries(PLACES))('%s refuses the secret seed of an address', async (_, publish) => {
    await expect(async () => publish(lost)).rejects.toThrow(/these bytes are the address seed, not the address key/)
    await expect(async () => publish(own)).not.toThrow()
  })

  test.each(Object.entries(PLACES))('%s refuses bytes that are no key', async (_, publish) => {
    const noPoint = new Uint8Array(32).fill(0xff)
    await expect(async () => publish(noPoint)).rejects.toThrow(/not an ed25519 key/)
    await expect(async () => publish(own.slice(0, 31))).rejects.toThrow(RangeError)
  })

  test.each([
    ['addressOfSeed', addressOfSeed],
    ['ageIdentity', ageIdentity],
    ['createS1', (key: Uint8Array) => createS1({ amount: 1n, spend, proof: { recipient: own, seed: key } })],
    ['completeProof', (key: Uint8Array) => completeProof(makeReceiverProof(content, seed), key)],
    ['makeReceiverProof', (key: Uint8Array) => makeReceiverProof(content, key)],
    ['openKeychain', openKeychain],
    ['mnemonicFromEntropy', mnemonicFromEntropy],
    ['sealSeed', (entropy: Uint8Array) => sealSeed({ entropy, password: 'word', chain: 'testnet' })],
  ])('%s refuses the public key of an address', async (_, use) => {
    await expect(async () => use(untyped(own))).rejects.toThrow(
      /these bytes are the address key, not the (address|wallet) seed/,
    )
  })

  test('a slatepack is not tried with public keys', async () => {
    const armored = await armorSlateTo([own], slate, { prefix: 'grin' })
    await expect(readSlatepack(armored, { prefix: 'grin', decryptWith: [untyped(own)] })).rejects.toThrow(RangeError)
    expect((await readSlatepack(armored, { prefix: 'grin', decryptWith: [seed] })).slate).toEqual(slate)
  })

  test('the two nonces of a range proof are not exchanged', () => {
    const input = keys.proofInput(outputIdentifier(0, 3), 5n)
    const { rewindNonce, privateNonce } = input
    const swapped = { rewindNonce: untyped(privateNonce ?? rewindNonce), privateNonce: untyped(rewindNonce) }
    expect(() => proveRange({ ...input, ...swapped })).toThrow(
      /these bytes are the private nonce, not the rewind nonce/,
    )
    expect(() => rewindRange(input.commitment, new Uint8Array(675), swapped.rewindNonce)).toThrow(RangeError)
  })
})

const content = { amount: slate.amount, excess: commit(1n, 1n), sender: own }
