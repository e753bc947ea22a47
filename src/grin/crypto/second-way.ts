// Computes an output a second time with the curve library alone. It imports nothing from src/curve or from the neighbouring files,
// so that a fault there cannot affect both results (specification: grin-crypto, 1.2, 4 and 5).
import { FpIsSquare } from '@noble/curves/abstract/modular.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, concatBytes, numberToBytesBE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'

const { Point } = secp256k1
const ORDER = Point.CURVE().n

const H = Point.fromHex('0250929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0')
/** The table is built on first use, in 9 ms. */
const J = Point.fromHex('02b860f56795fc03f3c21685383d1b5a2f2954f49b7e398b8d2a0193933621155f').precompute(4)

const commitmentTo = (value: bigint, key: bigint): Uint8Array => {
  // The payer knows the amount, so this product needs no constant time.
  const { x, y } = Point.BASE.multiply(key).add(H.multiplyUnsafe(value)).toAffine()
  return concatBytes(Uint8Array.of(FpIsSquare(Point.Fp, y) ? 8 : 9), numberToBytesBE(x, 32))
}

/**
 * The switched blinding factor and the commitment (33 bytes) of an output of `value` nanogrin under the derived key, 1 … n-1. About 1.5 ms.
 * Throws what the curve library throws for numbers out of range.
 */
export function recomputeOutput(
  value: bigint,
  key: bigint,
): { readonly blind: bigint; readonly commitment: Uint8Array } {
  const hash = sha256(concatBytes(commitmentTo(value, key), J.multiply(key).toBytes(true)))
  const blind = (key + bytesToNumberBE(hash)) % ORDER
  return { blind, commitment: commitmentTo(value, blind) }
}
