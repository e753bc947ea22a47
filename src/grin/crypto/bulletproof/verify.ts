// Checking a 64-bit range proof (Bulletproofs, Bünz et al. 2018; specification: grin-crypto, 7.4). Letters are the paper's.
import { P, type PointSums } from '../../../curve/index.js'
import { type Affine, isCommitment } from '../point.js'
import { invertAll, modN, type Scalar } from '../scalar.js'
import { innerProduct, powers } from './inner-product.js'
import { commitmentX, type FlaggedX, type Proof, readProof, unflagged } from './layout.js'
import { AT, BITS } from './points.js'
import { openTranscript } from './transcript.js'

/** All challenges, and the inverses that one inversion gives. */
function challengesOf(proof: Proof, V: FlaggedX, extra?: Uint8Array) {
  const transcript = openTranscript(V, extra)
  const { y, z } = transcript.yz(proof.A, proof.S)
  const x = transcript.x(proof.T1, proof.T2)
  const { u, weight } = transcript.u(proof.minusTauX, proof.minusMu, proof.t)
  const c = proof.rounds.map(({ L, R }) => transcript.round(L, R))
  const [yInverse = 0n, ...cInverse] = invertAll([y, ...c])
  return { y, z, x, u, weight, c, yInverse, cInverse }
}

type Challenges = ReturnType<typeof challengesOf>

/** Entry i is the product over the rounds r of c_r when bit r of i is set, else of 1/c_r; 32 entries. */
function roundProducts({ c, cInverse }: Challenges): Scalar[] {
  const products = [cInverse.reduce((product, inverse) => modN(product * inverse), 1n)]
  for (const challenge of c) {
    const square = modN(challenge * challenge)
    products.push(...products.map((product) => modN(product * square)))
  }
  return products
}

/** The scalars of all fixed points in (2) + weight * (1) (specification: grin-crypto, 7.4). */
function fixedScalars({ minusTauX, minusMu, t, a, b }: Proof, challenges: Challenges): Scalar[] {
  const { y, z, u, weight, yInverse } = challenges
  const products = roundProducts(challenges)
  const zz = modN(z * z)
  const fixed = new Array<Scalar>(BITS * 2)
  let yPower = 1n
  for (let i = 0; i < BITS; i++, yPower = modN(yPower * yInverse)) {
    const [half, low] = [i >> 5, i & 31]
    fixed[i] = modN(-z - (a[half] ?? 0n) * (products[low] ?? 0n))
    const onH = (zz << BigInt(i)) - modN((b[half] ?? 0n) * (products[31 - low] ?? 0n))
    fixed[AT.H + i] = modN(z + onH * yPower)
  }
  const ySum = powers(y, BITS).reduce((sum, power) => sum + power, 0n)
  const delta = modN((z - zz) * modN(ySum) - modN(zz * z) * (2n ** 64n - 1n))
  fixed[AT.blind] = modN(minusMu + u * modN(t - innerProduct(a, b)) - weight * minusTauX)
  fixed[AT.value] = modN(weight * (t - delta))
  return fixed
}

/** The points of the proof except A, with their scalars; undefined if an x has no point. */
function variableTerms(proof: Proof, V: FlaggedX, { x, z, weight, c, cInverse }: Challenges) {
  const terms: readonly (readonly [FlaggedX, Scalar])[] = [
    [V, modN(-weight * z * z)],
    [proof.S, x],
    [proof.T1, modN(-weight * x)],
    [proof.T2, modN(-weight * x * x)],
    ...proof.rounds.map(({ L }, r) => [L, modN((c[r] ?? 0n) ** 2n)] as const),
    ...proof.rounds.map(({ R }, r) => [R, modN((cInverse[r] ?? 0n) ** 2n)] as const),
  ]
  const lifted = terms.flatMap(([flaggedX, scalar]): (readonly [Affine, Scalar])[] => {
    const point = unflagged(flaggedX)
    return point ? [[point, scalar]] : []
  })
  return lifted.length === terms.length ? lifted : undefined
}

/**
 * Whether `proof` (675 bytes) shows that the commitment (33 bytes) hides a value in 0 … 2^64-1. False for malformed input.
 * A hash-derived weight joins both equations, so one sum of 144 terms decides: it must equal -A. A sum of 145 terms that must be
 * infinite would be equivalent, but fast addition cannot handle points that cancel.
 */
export function verifyRangeWith(
  sums: PointSums,
  { commitment, proof: bytes, extra }: { commitment: Uint8Array; proof: Uint8Array; extra?: Uint8Array | undefined },
): boolean {
  const proof = readProof(bytes)
  if (!proof || !isCommitment(commitment)) return false
  const V = commitmentX(commitment)
  const challenges = challengesOf(proof, V, extra)
  const variable = variableTerms(proof, V, challenges)
  const A = unflagged(proof.A)
  if (!variable || !A) return false
  const [sum] = sums([{ fixed: fixedScalars(proof, challenges), variable }])
  return sum !== undefined && sum.x === A.x && sum.y === P - A.y
}
