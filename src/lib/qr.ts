// QR codes (specification: invoicing, 2.11). Shops clean foreign SVG: only elements and attributes of their allow-list appear.
import { renderUnicodeCompact } from 'uqr'
import { escapeMarkup } from './escape-markup.js'
import { lowQrMatrix, type QrMatrix, qrMatrix } from './qr-matrix.js'

/** Modules of white around the code. */
const QUIET = 4
/** Bytes that fit at level M, version 40. */
const CAPACITY = 2331

export interface QrOptions {
  readonly ariaLabel: string
  /** Error correction, default M: paper may be creased. L has larger squares, for long texts that are only seen on a screen. */
  readonly level?: 'M' | 'L'
}

/** The code of a text as SVG without width or height; empty when the text does not fit. */
export function qrSvg(text: string, { ariaLabel, level = 'M' }: QrOptions): string {
  const matrix = level === 'L' ? lowQrMatrix(text) : qrMatrix(text)
  if (matrix === undefined) return ''
  const size = matrix.size + 2 * QUIET
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" ` +
    `aria-label="${escapeMarkup(ariaLabel)}" class="qr"><rect width="${size}" height="${size}" fill="#fff"/>` +
    `<path d="${qrPath(matrix)}" fill="#000"/></svg>`
  )
}

/** The code as half-block characters for a terminal with light letters on a dark ground; undefined when the text does not fit. */
export function qrText(text: string): string | undefined {
  if (Buffer.byteLength(text) > CAPACITY) return undefined
  return renderUnicodeCompact(text, { ecc: 'M', border: 2 })
}

/**
 * All black squares as one path: each row is a comb whose teeth are its runs. The comb starts on the row's lower edge, goes up,
 * along and down each run; closing it (filling does) runs back along the lower edge and encloses nothing between the teeth.
 */
function qrPath({ size, modules }: QrMatrix): string {
  let path = ''
  for (let y = 0; y < size; y++) {
    let end = -1
    for (let x = 0; x < size; x++) {
      if (modules[y * size + x] !== 1) continue
      const start = x
      while (x + 1 < size && modules[y * size + x + 1] === 1) x++
      path += end < 0 ? `M${start + QUIET} ${y + 1 + QUIET}` : `h${start - end}`
      path += `v-1h${x + 1 - start}v1`
      end = x + 1
    }
  }
  return path
}
