import { describe, expect, test } from 'vitest'
import { P } from '../../../src/curve/index.js'
import { readProof, unflagged, writeProof } from '../../../src/grin/crypto/bulletproof/layout.js'
import { verifyRangeWith } from '../../../src/grin/crypto/bulletproof/verify.js'
import { commit, proveRange, rewindRange, verifyRange } from '../../../src/grin/crypto/index.js'
import type { Affine } from '../../../src/grin/crypto/point.js'
import { toHex } from '../../../src/lib/bytes.js'
import { bytes, casesOf, optional, scalar } from './vectors.js'

type Good = Record<'value' | 'blind' | 'rewind_nonce' | 'commit' | 'proof', string> &
  Record<'private_nonce' | 'message' | 'extra', string | null> & { rewound: { value: string; message: string } }

describe('proofs', () => {
  test.each(casesOf<Good>('bulletproofs'))('proof %# of $value', (one) => {
    const input = { value: BigInt(one.value), blind: scalar(one.blind), rewindNonce: bytes(one.rewind_nonce) }
    const [privateNonce, message, extra] = [one.private_nonce, one.message, one.extra].map(optional)
    const proof = proveRange({
      ...input,
      ...(privateNonce && { privateNonce }),
      ...(message && { message }),
      ...(extra && { extra }),
    })
    expect(toHex(commit(input.value, input.blind))).toBe(one.commit)
    expect(toHex(proof)).toBe(one.proof)
    const parsed = readProof(proof)
    expect(parsed && toHex(writeProof(parsed))).toBe(one.proof)

    expect(verifyRange(bytes(one.commit), proof, extra)).toBe(true)
    const rewound = rewindRange(bytes(one.commit), proof, input.rewindNonce, extra)
    expect(rewound).toEqual({ value: BigInt(one.rewound.value), message: bytes(one.rewound.message) })
  })
})

type Bad = Record<'why' | 'commit' | 'proof' | 'nonce', string> & {
  extra: string | null
  verify: boolean
  rewound: null | { value: string; message: string }
}

describe('altered proofs', () => {
  test.each(casesOf<Bad>('bulletproofs_bad'))(
    '$why',
    ({ commit: commitment, proof, extra, nonce, verify, rewound }) => {
      expect(verifyRange(bytes(commitment), bytes(proof), optional(extra))).toBe(verify)
      const found = rewindRange(bytes(commitment), bytes(proof), bytes(nonce), optional(extra))
      expect(found ?? null).toEqual(rewound && { value: BigInt(rewound.value), message: bytes(rewound.message) })
    },
  )

  test('anything that is no commitment or no proof is false', () => {
    const { commit: commitment, proof } = casesOf<Good>('bulletproofs')[0] ?? { commit: '', proof: '' }
    expect(verifyRange(new Uint8Array(33), bytes(proof))).toBe(false)
    expect(verifyRange(bytes(commitment), new Uint8Array(675))).toBe(false)
    expect(verifyRange(bytes(commitment), new Uint8Array(0))).toBe(false)
    expect(verifyRange(bytes(commitment), bytes(`${proof.slice(0, -64)}${'ff'.repeat(32)}`))).toBe(false)
    expect(rewindRange(bytes(commitment), new Uint8Array(192), new Uint8Array(32))).toBeUndefined()
  })
})

test('the sum of all other terms must be -A, not A', () => {
  const { commit: commitment, proof } = casesOf<Good>('bulletproofs')[0] ?? { commit: '', proof: '' }
  const head = readProof(bytes(proof))
  const A = head && unflagged(head.A)
  if (!A) throw new Error('the proof has no A')
  const verdict = (sum: Affine | undefined) =>
    verifyRangeWith(() => [sum], { commitment: bytes(commitment), proof: bytes(proof) })
  expect(verdict({ x: A.x, y: P - A.y })).toBe(true)
  expect(verdict(A)).toBe(false)
  expect(verdict({ x: P - A.x, y: P - A.y })).toBe(false)
  expect(verdict(undefined)).toBe(false)
})

describe('what the prover refuses', () => {
  const input = { value: 1n, blind: 1n, rewindNonce: new Uint8Array(32) }
  test('a zero blinding factor', () => expect(() => proveRange({ ...input, blind: 0n })).toThrow(/blinding factor/))
  test('65 bits', () => expect(() => proveRange({ ...input, value: 2n ** 64n })).toThrow(/out of range/))
  test('a message of another length', () =>
    expect(() => proveRange({ ...input, message: new Uint8Array(19) })).toThrow(/proof message: need 20/))
  test('nonces of another length', () => {
    expect(() => proveRange({ ...input, rewindNonce: new Uint8Array(31) })).toThrow(/rewind nonce: need 32/)
    expect(() => proveRange({ ...input, privateNonce: new Uint8Array(33) })).toThrow(/private nonce: need 32/)
    expect(() => rewindRange(new Uint8Array(33), new Uint8Array(675), new Uint8Array(31))).toThrow(/rewind nonce/)
    expect(() => rewindRange(new Uint8Array(32), new Uint8Array(675), new Uint8Array(32))).toThrow(/commitment/)
  })
})
