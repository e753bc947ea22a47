// Reads a QR code as a phone does: the SVG as pixels, a little out of focus, through zbarimg (Debian's zbar-tools).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether `scanCode` can run here. */
export const canScan = spawnSync('zbarimg', ['--version']).error === undefined

/** Fills a code's path with the non-zero rule, one unit square at a time, as a browser does: by its vertical edges. True is black. */
export function squaresOf(svg: string): boolean[][] {
  const [, size = '', path = ''] = /viewBox="0 0 (\d+) \d+".*? d="([^"]*)"/.exec(svg) ?? []
  const rows = Array.from({ length: Number(size) }, () => Array<number>(Number(size) + 1).fill(0))
  let [x, y] = [0, 0]
  for (const [, letter, first, second] of path.matchAll(/([Mhv])(-?\d+)(?: (-?\d+))?/g)) {
    if (letter === 'M') [x, y] = [Number(first), Number(second)]
    if (letter === 'h') x += Number(first)
    if (letter === 'v') {
      const row = rows[Math.min(y, y + Number(first))]
      if (row) row[x] = (row[x] ?? 0) + Number(first)
      y += Number(first)
    }
  }
  return rows.map((row) => {
    let winding = 0
    return row.slice(0, -1).map((edge) => {
      winding += edge
      return winding !== 0
    })
  })
}

/** The text of a code that is `pixels` wide with a Gaussian blur of `blur` pixels; undefined when it cannot be read. */
export function scanCode(svg: string, { pixels = 280, blur = 1.2 } = {}): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-code-'))
  const file = join(folder, 'code.pgm')
  const image = blurred(enlarged(squaresOf(svg), pixels), pixels, blur)
  writeFileSync(file, Buffer.concat([Buffer.from(`P5\n${pixels} ${pixels}\n255\n`), image]))
  const { status, stdout } = spawnSync('zbarimg', ['-q', '--raw', '-Sdisable', '-Sqrcode.enable', file], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  rmSync(folder, { recursive: true })
  return status === 0 ? stdout.replace(/\n$/, '') : undefined
}

/** Samples of each pixel, a side. */
const SAMPLES = 4

function enlarged(squares: boolean[][], pixels: number): Float32Array {
  const scale = squares.length / (pixels * SAMPLES)
  const isBlack = (x: number, y: number) => squares[Math.floor(y * scale)]?.[Math.floor(x * scale)] === true
  return Float32Array.from({ length: pixels * pixels }, (_, at) => {
    const [left, top] = [(at % pixels) * SAMPLES, Math.floor(at / pixels) * SAMPLES]
    let white = 0
    for (let index = 0; index < SAMPLES * SAMPLES; index++)
      if (!isBlack(left + (index % SAMPLES), top + Math.floor(index / SAMPLES))) white++
    return (255 * white) / (SAMPLES * SAMPLES)
  })
}

function blurred(image: Float32Array, pixels: number, sigma: number): Uint8Array {
  const reach = Math.ceil(3 * sigma)
  const weights = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-((i - reach) ** 2) / (2 * sigma ** 2)))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const inside = (at: number) => Math.min(pixels - 1, Math.max(0, at))
  const along = (from: Float32Array, pixelAt: (at: number, offset: number) => number) =>
    from.map((_, at) => weights.reduce((total, w, i) => total + w * (from[pixelAt(at, i - reach)] ?? 0), 0) / sum)
  const across = along(image, (at, offset) => at - (at % pixels) + inside((at % pixels) + offset))
  const both = along(across, (at, offset) => (at % pixels) + inside(Math.floor(at / pixels) + offset) * pixels)
  return Uint8Array.from(both, Math.round)
}
