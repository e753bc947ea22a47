import { expect, test } from 'vitest'
import { createDrbg } from '../../../src/grin/crypto/aggsig.js'
import { fixedPoints } from '../../../src/grin/crypto/bulletproof/points.js'
import { scalarPair } from '../../../src/grin/crypto/bulletproof/transcript.js'
import { G, H, J } from '../../../src/grin/crypto/generators.js'
import { sha } from '../../../src/grin/crypto/hash.js'
import { type Affine, coordinateBytes, flagOf } from '../../../src/grin/crypto/point.js'
import { scalarToBytes } from '../../../src/grin/crypto/scalar.js'
import { concatBytes, toHex } from '../../../src/lib/bytes.js'
import { deriveGenerators, mapToCurve } from './derive-generators.js'
import { bytes, vectorFile } from './vectors.js'

const spelled = ({ x, y }: Affine): string => toHex(concatBytes(coordinateBytes(x), coordinateBytes(y)))
const digestOf = (points: readonly Affine[]): string => toHex(sha(...points.map((point) => bytes(spelled(point)))))
const known = vectorFile<{ G: string; H: string; J: string; J_in_c_source: string; gens: string[] }>(
  'crypto/generators',
)

test('the named generators are the library’s', () => {
  expect([G, H, J].map((point) => spelled(point.toAffine()))).toEqual([known.G, known.H, known.J])
  expect([G, H, J].map((point) => flagOf(point.toAffine()))).toEqual([0, 1, 1])
  const reversed = [0, 64].map((at) => toHex(bytes(known.J.slice(at, at + 64)).reverse())).join('')
  expect(reversed).toBe(known.J_in_c_source)
})

test('derived again, the proof generators are the library’s and the embedded ones', () => {
  const derived = deriveGenerators()
  expect(derived.map(spelled)).toEqual(known.gens)
  expect(digestOf(derived)).toBe('60cbfa8899cc2d1280b9260c3e3d2ffed539ad9d20b4a1fd88d401e66a78347e')
  const used = [...derived.slice(0, 64), ...derived.slice(128, 192)]
  expect(digestOf(used)).toBe('2c671162b88f7a8136f3d2fa45364ff9cdc7a663d6dd51aeeb90b4a105c53ca9')
  expect(fixedPoints()).toEqual([...used, G.toAffine(), H.toAffine()])
})

test('the map meets the known point of 1', () => {
  const { x, y } = mapToCurve(1n)
  expect([x.toString(16).slice(0, 8), y.toString(16).padStart(64, '0').slice(0, 8)]).toEqual(['edd1fd3e', '0225f529'])
})

const traces = vectorFile<{
  drbg: { seed: string; outputs: string[] }
  chacha: { seed: string; index: number; r1: string; r2: string }[]
}>('crypto/traces')

test('the deterministic generator gives the known outputs', () => {
  const next = createDrbg(bytes(traces.drbg.seed))
  expect(traces.drbg.outputs.map(() => toHex(next()))).toEqual(traces.drbg.outputs)
})

test.each(traces.chacha)('ChaCha20 pair of $seed at $index', ({ seed, index, r1, r2 }) => {
  expect(scalarPair(bytes(seed), index).map((one) => toHex(scalarToBytes(one)))).toEqual([r1, r2])
})
