// Making a 64-bit range proof (Bulletproofs, Bünz et al. 2018; specification: grin-crypto, 7.3). Letters are the paper's.
import type { PointSums } from '../../../curve/index.js'
import { checkKind } from '../../../lib/kinds.js'
import type { Amount, BlindingFactor, PrivateNonce, RewindNonce } from '../../kinds/index.js'
import { badLength } from '../errors.js'
import { checkAmount } from '../pedersen.js'
import { pointOf } from '../point.js'
import { checkSecretKey, invertN, modN, type Scalar, toInteger } from '../scalar.js'
import { addScaled, halve, innerProduct, powers } from './inner-product.js'
import { flagged, writeProof } from './layout.js'
import { AT, BITS, FIXED_COUNT } from './points.js'
import { openTranscript, scalarPair } from './transcript.js'

/** Input of a proof. Nonces 32 bytes, message 20, value in nanogrin. */
export interface RangeProofInput {
  readonly value: Amount
  readonly blind: BlindingFactor
  /** It reveals value and message of the proof. */
  readonly rewindNonce: RewindNonce
  /** Hides the blinding factor. Default: the rewind nonce. */
  readonly privateNonce?: PrivateNonce
  readonly message?: Uint8Array
  /** Extra data bound into the proof. Absent and empty differ; grin passes none. */
  readonly extra?: Uint8Array
}

function checkInput({ value, blind, rewindNonce, privateNonce, message }: RangeProofInput): void {
  checkAmount(value)
  checkSecretKey(blind, 'blinding factor')
  checkKind('rewind nonce', rewindNonce)
  if (privateNonce) checkKind('private nonce', privateNonce)
  const lengths = [
    ['rewind nonce', 32, rewindNonce],
    ['private nonce', 32, privateNonce],
    ['proof message', 20, message],
  ] as const
  for (const [what, need, bytes] of lengths)
    if (bytes && bytes.length !== need) throw badLength(what, need, bytes.length)
}

/** All secrets of one proof. `alpha` hides value and message. */
function drawSecrets({ value, rewindNonce, privateNonce, message }: RangeProofInput) {
  const [alpha, rho] = scalarPair(rewindNonce, 0)
  const [tau1, tau2] = scalarPair(privateNonce ?? rewindNonce, 1)
  const masks = Array.from({ length: BITS }, (_, i) => scalarPair(rewindNonce, i + 2))
  const hidden = value + (message ? toInteger(message) << 64n : 0n)
  return { alpha: modN(alpha - hidden), rho, tau1, tau2, sL: masks.map(([l]) => l), sR: masks.map(([, r]) => r) }
}

type Secrets = ReturnType<typeof drawSecrets>

const bitsOf = (value: bigint): Scalar[] => Array.from({ length: BITS }, (_, i) => (value >> BigInt(i)) & 1n)

function onGAndH(blind: Scalar, value: Scalar): Scalar[] {
  const fixed = new Array<Scalar>(FIXED_COUNT).fill(0n)
  fixed[AT.blind] = blind
  fixed[AT.value] = value
  return fixed
}

/** V commits to the value, A to its bits, S to their masks. */
function commitVectors(sums: PointSums, { value, blind }: RangeProofInput, bits: readonly Scalar[], secrets: Secrets) {
  const { alpha, rho, sL, sR } = secrets
  const minusOne = modN(-1n)
  const bitPart = [...bits, ...bits.map((bit) => (bit === 1n ? 0n : minusOne))]
  const jobs = [onGAndH(blind, value), [...bitPart, alpha], [...sL, ...sR, rho]]
  const [V, A, S] = sums(jobs.map((fixed) => ({ fixed })))
  return { V: flagged(pointOf(V, 'V')), A: flagged(pointOf(A, 'A')), S: flagged(pointOf(S, 'S')) }
}

/** The constant and linear parts of l(X) and r(X). */
function linesOf(bits: readonly Scalar[], { sL, sR }: Secrets, { y, z }: { y: Scalar; z: Scalar }) {
  const yPowers = powers(y, BITS)
  const zz = modN(z * z)
  const r0 = bits.map((bit, i) => modN((yPowers[i] ?? 0n) * (bit - 1n + z) + (zz << BigInt(i))))
  const r1 = sR.map((mask, i) => modN(mask * (yPowers[i] ?? 0n)))
  return { l0: bits.map((bit) => modN(bit - z)), l1: sL, r0, r1 }
}

type Lines = ReturnType<typeof linesOf>

/** T1 and T2: commitments to the coefficients of <l(X), r(X)>. */
function commitPolynomial(sums: PointSums, { l0, l1, r0, r1 }: Lines, { tau1, tau2 }: Secrets) {
  const t1 = modN(innerProduct(l0, r1) + innerProduct(l1, r0))
  const t2 = innerProduct(l1, r1)
  const [T1, T2] = sums([{ fixed: onGAndH(tau1, t1) }, { fixed: onGAndH(tau2, t2) }])
  return { T1: flagged(pointOf(T1, 'T1')), T2: flagged(pointOf(T2, 'T2')) }
}

/** Makes the proof, 675 bytes, determined by the input. Throws BAD_LENGTH, AMOUNT_OUT_OF_RANGE or BAD_SECRET_KEY. */
export function proveRangeWith(sums: PointSums, input: RangeProofInput): Uint8Array {
  checkInput(input)
  const secrets = drawSecrets(input)
  const bits = bitsOf(input.value)
  const { V, A, S } = commitVectors(sums, input, bits, secrets)
  const transcript = openTranscript(V, input.extra)
  const { y, z } = transcript.yz(A, S)

  const lines = linesOf(bits, secrets, { y, z })
  const { T1, T2 } = commitPolynomial(sums, lines, secrets)
  const x = transcript.x(T1, T2)

  const minusTauX = modN(-(secrets.tau1 * x + secrets.tau2 * x * x + z * z * input.blind))
  const minusMu = modN(-(secrets.rho * x + secrets.alpha))
  const [a, b] = [addScaled(lines.l0, lines.l1, x), addScaled(lines.r0, lines.r1, x)]
  const t = innerProduct(a, b)
  const { u } = transcript.u(minusTauX, minusMu, t)
  const halved = halve({ sums, transcript, u, yInverse: invertN(y) }, a, b)
  return writeProof({ minusTauX, minusMu, A, S, T1, T2, t, ...halved })
}
