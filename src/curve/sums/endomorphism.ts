// The endomorphism of secp256k1: (x, y) -> (beta*x, y) multiplies a point by lambda, so one scalar of 256 bits becomes two
// of 128 (Gallant, Lambert, Vanstone 2001; basis vectors as in Guide to Elliptic Curve Cryptography, 3.74).
import { N, type Scalar } from '../order.js'

/** A cube root of one modulo p: beta*x is the x of lambda*P. */
export const BETA = 0x7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501een

const A1 = 0x3086d221a7d46bcde86c90e49284eb15n
const MINUS_B1 = 0xe4437ed6010e88286f547fa90abfe4c3n
const A2 = 0x114ca50f7a8e2f3f657c1108d9d44cfd8n
const HALF_N = N >> 1n

/** k = k1 + lambda*k2 modulo n with |k1|, |k2| below 2^129; both may be negative. */
export function splitScalar(k: Scalar): readonly [k1: bigint, k2: bigint] {
  const c1 = (A1 * k + HALF_N) / N
  const c2 = (MINUS_B1 * k + HALF_N) / N
  return [k - c1 * A1 - c2 * A2, c1 * MINUS_B1 - c2 * A1]
}
