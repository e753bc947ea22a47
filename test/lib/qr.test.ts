import fc from 'fast-check'
import { encode } from 'uqr'
import { describe, expect, test } from 'vitest'
import { lowQrMatrix, type QrMatrix, qrMatrix, qrSvg, qrText } from '../../src/lib/qr.js'
import { squaresOf } from '../support/scan-code.js'

const LINK = `nostr:nprofile1${'qqs2frrv0ztkwfppdkwk4nndgem04gmh6e94a35zf23zvlheejfyj7qpzamhxue69uh'.repeat(2)}?amount=1.5`
const QUIET = 4

function rowsOf({ size, modules }: QrMatrix): boolean[][] {
  return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => modules[y * size + x] === 1))
}

function framed(rows: boolean[][]): boolean[][] {
  const side = rows.length + 2 * QUIET
  const row = (y: number) => Array.from({ length: side }, (_, x) => rows[y - QUIET]?.[x - QUIET] ?? false)
  return Array.from({ length: side }, (_, y) => row(y))
}

function matrixOf(text: string): QrMatrix {
  const matrix = qrMatrix(text)
  if (!matrix) throw new Error('does not fit')
  return matrix
}

test('the path fills exactly the black squares, four modules from every edge', () => {
  fc.assert(
    fc.property(fc.oneof(fc.constant(LINK), fc.string({ minLength: 1, maxLength: 300 })), (text) => {
      expect(squaresOf(qrSvg(text, { ariaLabel: 'pay' }))).toEqual(framed(rowsOf(matrixOf(text))))
    }),
    { numRuns: 40 },
  )
})

describe('the squares are those that the library draws at level M with the same mask', () => {
  const expectSame = (text: string) =>
    expect(rowsOf(matrixOf(text))).toEqual(
      encode([...Buffer.from(text)], { ecc: 'M', boostEcc: false, border: 0, maskPattern: 2 }).data,
    )

  test('for the longest text of every version, and one byte more', () => {
    let [length, versions] = [0, 0]
    for (let size = 21; size <= 177; size += 4) {
      while (qrMatrix('x'.repeat(length + 1))?.size === size) length++
      expectSame('x'.repeat(length))
      if (size < 177) expectSame('x'.repeat(length + 1))
      versions++
    }
    expect([length, versions]).toEqual([2331, 40])
  })

  test('for any text', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.string({ minLength: 100, maxLength: 2331 }),
    )
    fc.assert(
      fc.property(texts, (text) => void expectSame(text)),
      { numRuns: 50 },
    )
  })
})

test('only elements and attributes that shops let through are used', () => {
  const ALLOWED: Record<string, RegExp> = {
    svg: /^(xmlns|width|height|viewBox|role|shape-rendering|class|aria-label)$/,
    rect: /^(x|y|width|height|rx|ry|fill)$/,
    path: /^(d|fill|fill-rule)$/,
  }
  const svg = qrSvg(LINK, { ariaLabel: 'pay' })
  for (const [, element = '', attributes = ''] of svg.matchAll(/<([a-z]+)((?:\s[\w:-]+="[^"]*")*)\s*\/?>/gi)) {
    for (const [, name = ''] of attributes.matchAll(/\s([\w:-]+)="/g)) expect(name).toMatch(ALLOWED[element] ?? /never/)
  }
  expect(svg.replace(/<\/?[a-z]+(?:\s[\w:-]+="[^"<]*")*\s*\/?>/gi, '')).toBe('')
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 (\d+) \1" shape-rendering="crispEdges" role="img"/,
  )
})

test('the label cannot break out of its attribute', () => {
  const svg = qrSvg('x', { ariaLabel: '"/><script>&' })
  expect(svg).toContain('aria-label="&quot;/&gt;&lt;script&gt;&amp;"')
})

test('2331 bytes fit, one more gives an empty text', () => {
  expect(qrSvg('a'.repeat(2331), { ariaLabel: 'pay' })).not.toBe('')
  expect(qrSvg('a'.repeat(2332), { ariaLabel: 'pay' })).toBe('')
  expect(qrSvg('é'.repeat(1166), { ariaLabel: 'pay' })).toBe('')
  expect(qrText('a'.repeat(2332))).toBeUndefined()
})

test('a terminal shows two rows of modules per line', () => {
  const lines = (qrText('nostr:nprofile1abc') ?? '').split('\n')
  expect(lines.join('')).toMatch(/^[█▀▄ ]+$/)
  expect(lines.length).toBe(Math.ceil((lines[0]?.length ?? 0) / 2))
})

describe('at level L', () => {
  const slatepack = `BEGINSLATEPACK. ${'4H1qx1wHe668tFW yC2gfL8PPd8kSgv '.repeat(14)}. ENDSLATEPACK.`

  test('a slatepack has squares that a camera can tell apart', () => {
    const sizeOf = (level: 'M' | 'L') => squaresOf(qrSvg(slatepack, { ariaLabel: 'invoice', level })).length
    expect(sizeOf('L')).toBeLessThan(sizeOf('M'))
  })

  test('the picture is the one that the library draws', () => {
    const drawn = encode([...Buffer.from(slatepack)], { ecc: 'L', boostEcc: false, border: 0, maskPattern: 2 }).data
    expect(squaresOf(qrSvg(slatepack, { ariaLabel: 'invoice', level: 'L' }))).toEqual(framed(drawn))
  })

  test('2953 bytes fit, one more gives no picture', () => {
    expect(lowQrMatrix('x'.repeat(2953))?.size).toBe(177)
    expect(qrSvg('x'.repeat(2954), { ariaLabel: 'invoice', level: 'L' })).toBe('')
  })
})
