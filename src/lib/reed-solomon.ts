// Error correction codewords of QR codes: Reed-Solomon over GF(256) modulo x^8 + x^4 + x^3 + x^2 + 1.

const EXP = new Uint8Array(510)
const LOG = new Uint8Array(256)
for (let power = 0, value = 1; power < 255; power++) {
  EXP[power] = value
  EXP[power + 255] = value
  LOG[value] = power
  value = (value << 1) ^ (value > 127 ? 0x11d : 0)
}

const generators = new Map<number, Uint8Array>()

/** Logarithms of the generator polynomial of this degree, leading 1 left out, highest power first. */
function generatorOf(degree: number): Uint8Array {
  const known = generators.get(degree)
  if (known) return known
  let polynomial = [1]
  for (let root = 0; root < degree; root++) {
    const shifted = [...polynomial, 0]
    polynomial.forEach((value, index) => {
      shifted[index + 1] = (shifted[index + 1] ?? 0) ^ (value === 0 ? 0 : (EXP[(LOG[value] ?? 0) + root] ?? 0))
    })
    polynomial = shifted
  }
  const logs = Uint8Array.from(polynomial.slice(1), (value) => LOG[value] ?? 0)
  generators.set(degree, logs)
  return logs
}

/** The `degree` correction codewords of some data: the remainder of data × x^degree by the generator. */
export function correctionFor(data: Uint8Array, degree: number): Uint8Array {
  const generator = generatorOf(degree)
  const work = new Uint8Array(data.length + degree)
  work.set(data)
  for (let at = 0; at < data.length; at++) {
    const factor = work[at] ?? 0
    if (factor === 0) continue
    const log = LOG[factor] ?? 0
    for (let index = 0; index < degree; index++) {
      work[at + 1 + index] = (work[at + 1 + index] ?? 0) ^ (EXP[log + (generator[index] ?? 0)] ?? 0)
    }
  }
  return work.subarray(data.length)
}
