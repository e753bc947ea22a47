// X25519 of many secrets with one foreign key. A ladder per secret costs several times as much as a look-up in a table of multiples of
// that key, which pays for itself after a few secrets. The table needs the key as a point of the Edwards form (RFC 7748, 4.1).
import { ed25519, x25519 } from '@noble/curves/ed25519.js'

const { Point } = ed25519
const { Fp } = Point
/** Secrets from which on the table is the cheaper way. */
export const TABLE_FROM = 24
const TABLE_WINDOW = 8

/** The shared secret of one of our secrets (32 bytes, unclamped); undefined for a foreign key that no honest sender makes. */
export type SharedSecret = (secret: Uint8Array) => Uint8Array | undefined

/** X25519 with this foreign key (32 bytes), for about `count` secrets. */
export function sharedSecretWith(foreign: Uint8Array, count: number): SharedSecret {
  return count < TABLE_FROM ? ladder(foreign) : table(foreign)
}

const ladder =
  (foreign: Uint8Array): SharedSecret =>
  (secret) => {
    try {
      return x25519.getSharedSecret(secret, foreign)
    } catch {
      return undefined // a point of small order
    }
  }

/** Clamped secrets are multiples of 8: the multiple of 8 of the foreign key lies in the subgroup of prime order, where the table works. */
function table(foreign: Uint8Array): SharedSecret {
  const point = edwardsPoint(foreign)?.clearCofactor()
  if (!point || point.is0()) return () => undefined
  point.precompute(TABLE_WINDOW, false)
  return (secret) => montgomery(point.multiply((clamped(secret) >> 3n) % Point.Fn.ORDER))
}

/** u = (1 + y) / (1 - y), straight from the projective form. */
const montgomery = ({ Y, Z }: InstanceType<typeof Point>): Uint8Array =>
  Fp.toBytes(Fp.div(Fp.create(Z + Y), Fp.create(Z - Y)))

/** Undefined for keys on the twist: no multiple of the base point is there. */
function edwardsPoint(u: Uint8Array): InstanceType<typeof Point> | undefined {
  const x = littleEndian(u) & (2n ** 255n - 1n)
  const below = Fp.create(x + 1n)
  if (Fp.is0(below)) return undefined
  try {
    return Point.fromBytes(Fp.toBytes(Fp.div(Fp.create(x - 1n), below)))
  } catch {
    return undefined
  }
}

const clamped = (secret: Uint8Array): bigint => (littleEndian(secret) & (2n ** 254n - 8n)) | (2n ** 254n)

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
