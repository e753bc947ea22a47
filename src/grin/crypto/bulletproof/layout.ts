// The 675 bytes of a proof (specification: grin-crypto, 7.1).

import { P } from '../../../curve/index.js'
import { concatBytes } from '../../../lib/bytes.js'
import { type Affine, coordinateBytes, flagOf, lift } from '../point.js'
import { N, type Scalar, scalarToBytes, toInteger } from '../scalar.js'

const PROOF_LENGTH = 675
/** Halving rounds; they stop at vectors of length two. */
export const ROUNDS = 5

const HEAD_LENGTH = 193
const ROUND_FLAGS_AT = 353
const ROUND_POINTS_AT = 355

/** A point as proofs and transcripts encode it: x in 32 bytes, and 1 if y is not a square. */
export interface FlaggedX {
  readonly x: Uint8Array
  readonly flag: 0 | 1
}

/** The part that rewinding needs: both negated scalars and four points. */
export interface ProofHead {
  readonly minusTauX: Scalar
  readonly minusMu: Scalar
  readonly A: FlaggedX
  readonly S: FlaggedX
  readonly T1: FlaggedX
  readonly T2: FlaggedX
}

/** A whole proof. `a` and `b` have two entries, `rounds` five. */
export interface Proof extends ProofHead {
  readonly t: Scalar
  readonly a: readonly Scalar[]
  readonly b: readonly Scalar[]
  readonly rounds: readonly { readonly L: FlaggedX; readonly R: FlaggedX }[]
}

/** The proof encoding of a point. */
export const flagged = (point: Affine): FlaggedX => ({ x: coordinateBytes(point.x), flag: flagOf(point) })

/** The point of a flagged x; undefined if the curve has none. */
export function unflagged({ x, flag }: FlaggedX): Affine | undefined {
  const point = lift(toInteger(x))
  return point && (flag === 0 ? point : { x: point.x, y: P - point.y })
}

/** The flagged x of a commitment, straight from its 33 bytes. */
export const commitmentX = (commitment: Uint8Array): FlaggedX => ({
  x: commitment.subarray(1),
  flag: bitOf(commitment[0] ?? 0, 0),
})

const bitOf = (byte: number, bit: number): 0 | 1 => (((byte >> bit) & 1) === 1 ? 1 : 0)

/** Reads consecutive 32-byte scalars; undefined if one is 0 or not below n. */
function scalarsAt(proof: Uint8Array, start: number, count: number): Scalar[] | undefined {
  const scalars = Array.from({ length: count }, (_, i) =>
    toInteger(proof.subarray(start + 32 * i, start + 32 * i + 32)),
  )
  return scalars.every((scalar) => scalar > 0n && scalar < N) ? scalars : undefined
}

function pointsAt(proof: Uint8Array, start: number, count: number, flagsAt: number): FlaggedX[] {
  return Array.from({ length: count }, (_, j) => ({
    x: proof.subarray(start + 32 * j, start + 32 * j + 32),
    flag: bitOf(proof[flagsAt + (j >> 3)] ?? 0, j & 7),
  }))
}

/** Reads the first 193 bytes; more may follow. Undefined if they are missing or a scalar is 0 or not below n. */
export function readHead(proof: Uint8Array): ProofHead | undefined {
  const scalars = proof.length < HEAD_LENGTH ? undefined : scalarsAt(proof, 0, 2)
  const [A, S, T1, T2] = pointsAt(proof, 65, 4, 64)
  if (!scalars || !A || !S || !T1 || !T2) return undefined
  const [minusTauX = 0n, minusMu = 0n] = scalars
  return { minusTauX, minusMu, A, S, T1, T2 }
}

/** Reads 675 bytes; points are not lifted. Undefined for another length, or a scalar that is 0 or not below n. */
export function readProof(proof: Uint8Array): Proof | undefined {
  if (proof.length !== PROOF_LENGTH) return undefined
  const head = readHead(proof)
  const tail = scalarsAt(proof, HEAD_LENGTH, 5)
  if (!head || !tail) return undefined
  const [t = 0n, a0 = 0n, a1 = 0n, b0 = 0n, b1 = 0n] = tail
  const points = pointsAt(proof, ROUND_POINTS_AT, 2 * ROUNDS, ROUND_FLAGS_AT)
  const rounds = Array.from({ length: ROUNDS }, (_, r) => points.slice(2 * r, 2 * r + 2)).flatMap(([L, R]) =>
    L && R ? [{ L, R }] : [],
  )
  return { ...head, t, a: [a0, a1], b: [b0, b1], rounds }
}

/** Packs flags into bits, the first flag in the lowest bit; unused bits are 0. */
function packFlags(points: readonly FlaggedX[]): Uint8Array {
  const out = new Uint8Array(Math.ceil(points.length / 8))
  for (const [j, { flag }] of points.entries()) out[j >> 3] = (out[j >> 3] ?? 0) | (flag << (j & 7))
  return out
}

/** The inverse of `readProof`. */
export function writeProof({ minusTauX, minusMu, A, S, T1, T2, t, a, b, rounds }: Proof): Uint8Array {
  const four = [A, S, T1, T2]
  const ten = rounds.flatMap(({ L, R }) => [L, R])
  const xs = (points: readonly FlaggedX[]): Uint8Array[] => points.map(({ x }) => x)
  const scalars = (list: readonly Scalar[]): Uint8Array[] => list.map(scalarToBytes)
  return concatBytes(
    ...scalars([minusTauX, minusMu]),
    packFlags(four),
    ...xs(four),
    ...scalars([t, ...a, ...b]),
    packFlags(ten),
    ...xs(ten),
  )
}
