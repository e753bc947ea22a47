// Laws of the small decoders: no input throws anything but the documented error, and what was written reads back.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatGrin, nanoGrin, parseGrin } from '../../src/grin/amount/index.js'
import {
  commitmentToPublicKey,
  compactToRaw,
  isCommitment,
  isPublicKey,
  proveRange,
  publicKeyToCommitment,
  rawToCompact,
  rewindRange,
  scalarFromBytes,
  secretKeyFromBytes,
  verifyPartial,
  verifyRange,
  verifySignature,
} from '../../src/grin/crypto/index.js'
import { parseRangeProofMessage, rangeProofMessage } from '../../src/grin/keychain/identifier.js'
import {
  entropyFromMnemonic,
  formatPath,
  identifierFromPath,
  mnemonicFromEntropy,
  openKeychain,
  outputIdentifier,
} from '../../src/grin/keychain/index.js'
import { parsePaymentProof } from '../../src/grin/proof/index.js'
import { importGrinWalletSeed } from '../../src/grin/seedfile/index.js'
import { GrinpayError } from '../../src/lib/errors.js'
import { Secret } from '../../src/lib/secret.js'

/** Any bytes, the right number of them more often than not. */
const bytesAround = (length: number) =>
  fc.oneof(fc.uint8Array({ maxLength: 2 * length }), fc.uint8Array({ minLength: length, maxLength: length }))

/** What `run` throws, or undefined. */
function thrownBy(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}

/** Only these codes of ours, and nothing that is not ours. */
function expectOnly(thrown: unknown, ...codes: readonly string[]): void {
  if (thrown === undefined) return
  expect(thrown).toBeInstanceOf(GrinpayError)
  if (thrown instanceof GrinpayError) expect(codes).toContain(thrown.code)
}

describe('amounts', () => {
  test('every amount survives printing and parsing', () => {
    const amounts = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
    fc.assert(fc.property(amounts, (n) => parseGrin(formatGrin(nanoGrin(n))) === n))
  })

  test('any text is an amount or a RangeError, and an amount has one spelling but for zeros at the end', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[0-9.eE+-]{0,24}$/), fc.double().map(String))
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const again = formatGrin(parseGrin(text))
          expect(text.includes('.') ? text.replace(/\.?0+$/, '') : text).toBe(again)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('numbers and points', () => {
  test('any bytes are a scalar, a secret key, or refused', () => {
    fc.assert(
      fc.property(bytesAround(32), (bytes) => {
        expectOnly(
          thrownBy(() => scalarFromBytes(bytes)),
          'BAD_LENGTH',
          'SCALAR_TOO_LARGE',
        )
        expectOnly(
          thrownBy(() => secretKeyFromBytes(bytes)),
          'BAD_LENGTH',
          'BAD_SECRET_KEY',
        )
      }),
    )
  })

  test('any bytes are a public key or a commitment, or they are not; those that are survive the other form', () => {
    const keys = fc
      .tuple(fc.constantFrom(2, 3, 8, 9), fc.uint8Array({ minLength: 32, maxLength: 32 }))
      .map(([head, x]) => Uint8Array.of(head, ...x))
    fc.assert(
      fc.property(fc.oneof(bytesAround(33), keys), (bytes) => {
        if (isPublicKey(bytes)) {
          const commitment = publicKeyToCommitment(bytes)
          expect(isCommitment(commitment)).toBe(true)
          expect(commitmentToPublicKey(commitment)).toEqual(bytes)
        } else
          expectOnly(
            thrownBy(() => publicKeyToCommitment(bytes)),
            'BAD_POINT',
            'BAD_LENGTH',
          )
        if (!isCommitment(bytes))
          expectOnly(
            thrownBy(() => commitmentToPublicKey(bytes)),
            'BAD_POINT',
            'BAD_LENGTH',
          )
      }),
    )
  })

  test('the two byte orders of a signature undo each other', () => {
    fc.assert(
      fc.property(bytesAround(64), (bytes) => {
        const thrown = thrownBy(() => expect(rawToCompact(compactToRaw(bytes))).toEqual(bytes))
        expectOnly(thrown, 'BAD_LENGTH', 'BAD_SIGNATURE')
      }),
    )
  })
})

describe('signatures and proofs of strangers', () => {
  const key = Uint8Array.from(Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex'))
  const message = new Uint8Array(32).fill(1)

  test('any bytes are no signature', () => {
    fc.assert(
      fc.property(bytesAround(64), (signature) => {
        expect(verifySignature({ signature, publicKey: key, message })).toBe(false)
        expect(verifyPartial({ signature, publicKey: key, nonceSum: key, keySum: key, message })).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  test('any bytes are no range proof, and nothing can be read out of them', () => {
    const { commitment, proof } = madeOutput()
    const damaged = fc.tuple(fc.nat(674), fc.integer({ min: 1, max: 255 })).map(([at, change]) => {
      const copy = proof.slice()
      copy[at] = (copy[at] ?? 0) ^ change
      return copy
    })
    fc.assert(
      fc.property(fc.oneof(bytesAround(675), damaged), (bytes) => {
        expect(verifyRange(commitment, bytes)).toBe(false)
        expect(rewindRange(commitment, bytes.slice(0, 100), message)).toBeUndefined()
        rewindRange(commitment, bytes, message)
      }),
      { numRuns: 40 },
    )
    expect(verifyRange(commitment, proof)).toBe(true)
  })

  test('whatever an exported proof is, only PROOF_INVALID is thrown', () => {
    const members = fc.dictionary(
      fc.constantFrom(
        'amount',
        'excess',
        'recipient_address',
        'recipient_sig',
        'sender_address',
        'sender_sig',
        '__proto__',
      ),
      fc.anything(),
    )
    fc.assert(
      fc.property(fc.oneof(members, fc.anything()), (value) =>
        expectOnly(
          thrownBy(() => parsePaymentProof(value, 'grin')),
          'PROOF_INVALID',
        ),
      ),
    )
  })
})

describe('keys', () => {
  const words = fc.constantFrom('abandon', 'ability', 'zoo', 'art', 'about', '', 'Abandon', 'zoo\u0301', '\t')

  test('every seed survives its words', () => {
    const seeds = fc
      .constantFrom(16, 20, 24, 28, 32)
      .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
    fc.assert(fc.property(seeds, (seed) => void expect(entropyFromMnemonic(mnemonicFromEntropy(seed))).toEqual(seed)))
  })

  test('any words are a seed or BAD_MNEMONIC, whose text repeats none of them', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 30 }).map((list) => list.join(' ')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const thrown = thrownBy(() => entropyFromMnemonic(text))
        expectOnly(thrown, 'BAD_MNEMONIC')
        if (thrown instanceof Error) expect(`${thrown.stack}${thrown.cause}`).not.toMatch(/abandon|ability|zoo/)
      }),
    )
  })

  test('every path survives its text, and any other text is BAD_KEY_PATH', () => {
    const numbers = fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 4 })
    fc.assert(
      fc.property(
        numbers,
        (path) => formatPath(identifierFromPath(['m', ...path].join('/'))) === ['m', ...path].join('/'),
      ),
    )
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^m(\/\d{0,11})*$/))
    fc.assert(
      fc.property(texts, (text) =>
        expectOnly(
          thrownBy(() => identifierFromPath(text)),
          'BAD_KEY_PATH',
        ),
      ),
    )
  })

  test('what a range proof says of its key survives, and any other message belongs to no key', () => {
    const indices = fc.nat(2 ** 31 - 1)
    fc.assert(
      fc.property(indices, indices, fc.constantFrom('regular', 'none'), (account, index, switchType) => {
        const identifier = outputIdentifier(account, index)
        expect(parseRangeProofMessage(rangeProofMessage(identifier, switchType))).toEqual({ identifier, switchType })
      }),
    )
    fc.assert(fc.property(bytesAround(20), (bytes) => void parseRangeProofMessage(bytes)))
  })

  test('whatever a seed file of grin-wallet holds, only the documented errors are thrown', async () => {
    const hex = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('hex'))
    const files = fc.record({
      encrypted_seed: fc.oneof(hex, fc.anything()),
      salt: fc.constant('00'.repeat(8)),
      nonce: fc.constant('00'.repeat(12)),
    })
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      files.map(
        (file) => JSON.stringify(file, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? '',
      ),
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const thrown = await importGrinWalletSeed(text, new Secret('password')).then(
          () => undefined,
          (error: unknown) => error,
        )
        expectOnly(thrown, 'SEED_FILE_INVALID', 'SEED_WRONG_PASSWORD')
      }),
    )
  })
})

function madeOutput() {
  const keychain = openKeychain(new Uint8Array(32).fill(5))
  const input = keychain.proofInput(outputIdentifier(0, 0), nanoGrin(1000n))
  return { commitment: input.commitment, proof: proveRange(input) }
}
