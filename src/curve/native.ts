// Sums of two multiples by the C library in the optional package `secp256k1`, twice as fast as the field machine. The package has
// no such function, but the recovery of a public key from an ECDSA signature computes one: from a point X with x coordinate r, a message
// m and s it returns (s × X - m × G) / r.
import { createRequire } from 'node:module'
import { N, type Scalar } from './field.js'

/**
 * fixed × G - scalar × P, where P is the point with this x (32 bytes) and an even y. Returns the compressed sum (33 bytes, valid until
 * the next call); 'none' for infinity and for an x without point; undefined for input that recovery does not accept: scalar 0, x 0 and
 * x from the order of the curve up.
 */
export type NativeSum = (fixed: Scalar, scalar: Scalar, x: Uint8Array) => Uint8Array | 'none' | undefined

interface Bindings {
  /** Throws if recovery fails. */
  ecdsaRecover(signature: Uint8Array, yIsOdd: 0, m: Uint8Array, compressed: true, output: Uint8Array): Uint8Array
}

const isBindings = (value: unknown): value is Bindings =>
  typeof value === 'object' && value !== null && 'ecdsaRecover' in value && typeof value.ecdsaRecover === 'function'

/** Never loads the package's JavaScript fallback, which is slower than the field machine. */
function loadBindings(): Bindings | undefined {
  try {
    const loaded: unknown = createRequire(import.meta.url)('secp256k1/bindings.js')
    return isBindings(loaded) ? loaded : undefined
  } catch {
    return undefined
  }
}

function toNumber(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 32)
  const high = (view.getBigUint64(0) << 64n) | view.getBigUint64(8)
  return (((high << 64n) | view.getBigUint64(16)) << 64n) | view.getBigUint64(24)
}

/** Writes 32 bytes, big-endian. */
function write(view: DataView, at: number, value: Scalar): void {
  for (let i = 0; i < 4; i++) view.setBigUint64(at + 8 * i, value >> BigInt(64 * (3 - i)))
}

function createSum(bindings: Bindings): NativeSum {
  const [signature, m, sum] = [new Uint8Array(64), new Uint8Array(32), new Uint8Array(33)]
  const [signatureView, mView] = [new DataView(signature.buffer), new DataView(m.buffer)]
  return (fixed, scalar, x) => {
    const r = toNumber(x)
    if (scalar === 0n || r === 0n || r >= N) return undefined
    signature.set(x)
    write(signatureView, 32, N - ((scalar * r) % N))
    write(mView, 0, fixed === 0n ? 0n : N - ((fixed * r) % N))
    try {
      return bindings.ecdsaRecover(signature, 0, m, true, sum)
    } catch {
      return 'none'
    }
  }
}

const G = Buffer.from('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex')
const TWICE_G = Buffer.from('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5', 'hex')

/** Undefined if the package is not installed, has no binary for this machine, or computes wrong sums. */
export function openNativeSum(): NativeSum | undefined {
  const bindings = loadBindings()
  const sum = bindings && createSum(bindings)
  const probe = sum?.(5n, 3n, G)
  return probe instanceof Uint8Array && TWICE_G.equals(probe) ? sum : undefined
}
