// What the main thread and a reader thread say to each other. A question is one dear part of a query; its answer holds only bytes and numbers.
import type { Range, TextPage } from '../query/disk.js'

/** The texts of one page. */
export interface TextQuestion {
  readonly kind: 'texts'
  readonly range: Range
  /** Epoch seconds. */
  readonly now: number
}

/** Places and numbers of rows. */
export interface PlaceQuestion {
  readonly kind: 'places'
  readonly range: Range
  /** At the newest place only numbers below this. */
  readonly cut: number
}

export type ReaderQuestion = TextQuestion | PlaceQuestion

export type ToReader = { readonly kind: 'ask'; readonly question: ReaderQuestion } | { readonly kind: 'close' }

/** Answers come in the order of the questions. */
export type FromReader =
  | { readonly kind: 'ready' }
  | { readonly kind: 'texts'; readonly page: SentPage }
  | { readonly kind: 'places'; readonly numbers: Float64Array<ArrayBuffer> }
  /** The main thread repeats the question, and meets the error itself. */
  | { readonly kind: 'failed' }

/** A page whose memory moves from thread to thread. */
export interface SentPage {
  readonly bytes: Uint8Array<ArrayBuffer> | undefined
  readonly rows: number
  readonly last: number
}

export function toTextPage({ bytes, rows, last }: SentPage): TextPage {
  return { bytes: bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), rows, last }
}
