// Derives the generators the long way (specification: grin-crypto, 3.1; Shallue and van de Woestijne's map), to check the embedded ones.
import { modP, P } from '../../../src/curve/field.js'
import { isResidue, root } from '../../../src/curve/point.js'
import { createDrbg } from '../../../src/grin/crypto/aggsig.js'
import { sha } from '../../../src/grin/crypto/hash.js'
import { type Affine, type CurvePoint, coordinateBytes, Point } from '../../../src/grin/crypto/point.js'
import { toInteger } from '../../../src/grin/crypto/scalar.js'
import { concatBytes, utf8 } from '../../../src/lib/bytes.js'

const C = 0x0a2d2ba93507f1df233770c2a797962cc61f6d15da14ecd47d8d27ae1cd5f852n
const D = 0x851695d49a83f8ef919bb86153cbcb16630fb68aed0a766a3ec693d68e6afa40n
const inv = (a: bigint): bigint => Point.Fp.inv(a)

/** The map from integers below p to points. */
export function mapToCurve(t: bigint): Affine {
  const w = modP(C * t * inv(modP(8n + t * t)))
  const x1 = modP(D - t * w)
  const candidates = [x1, modP(-(x1 + 1n)), modP(1n + inv(modP(w * w)))]
  const x = candidates.find((one) => isResidue(modP(one ** 3n + 7n)))
  if (x === undefined) throw new Error('one of three candidates always lies on the curve')
  const y = root(modP(x ** 3n + 7n))
  return { x, y: t % 2n === 1n ? P - y : y }
}

function generatorOf(key: Uint8Array): CurvePoint {
  const half = (prefix: string): CurvePoint => Point.fromAffine(mapToCurve(toInteger(sha(utf8(prefix), key))))
  return half('1st generation: ').add(half('2nd generation: '))
}

/** All 256 generators, in order. */
export function deriveGenerators(): Affine[] {
  const { x, y } = Point.BASE.toAffine()
  const next = createDrbg(concatBytes(coordinateBytes(x), coordinateBytes(y)))
  return Array.from({ length: 256 }, () => generatorOf(next()).toAffine())
}
