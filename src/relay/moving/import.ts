// Imports a file: each line holds one event, bare or inside a message of a client or relay. Two batches are in flight.

import { parseJsonBytes } from '../../lib/parse-json.js'
import { classOf } from '../../nostr/event/index.js'
import { createImportCounts, type ImportCounts, type LineOutcome } from './import-counts.js'

/** The answer to one event, in the words of an OK. */
export type PublishAnswer = Omit<LineOutcome, 'line'>

interface ImportParts {
  readonly chunks: AsyncIterable<Uint8Array>
  /** Bytes. */
  readonly longestLine: number
  /** Answers in the order of the values, which are unchecked. */
  readonly take: (values: readonly unknown[]) => Promise<readonly PublishAnswer[]>
  /** Called after every batch. */
  readonly onProgress?: ((sofar: ImportCounts) => void) | undefined
  /** Events per batch. Default: 500. */
  readonly batchSize?: number
  /** Aborted: nothing more is taken, and the answers under way are waited for. */
  readonly signal?: AbortSignal
}

const BATCH = 500

/** Rejects with the error of `chunks` or `take`. Events taken before stay stored, and a second run skips them. */
export async function importLines(parts: ImportParts): Promise<ImportCounts> {
  const { chunks, longestLine, take, onProgress, batchSize = BATCH, signal } = parts
  const counts = createImportCounts()
  let before: Promise<void> = Promise.resolve()

  async function settle(
    batch: readonly Candidate[],
    answering: Promise<readonly PublishAnswer[]>,
    earlier: Promise<void>,
  ) {
    const answers = await answering
    await earlier
    for (const [place, { line }] of batch.entries())
      counts.add({ line, ...(answers[place] ?? { id: '?', accepted: false, text: 'error: no answer' }) })
    onProgress?.(counts.result())
  }

  async function send(batch: readonly Candidate[]): Promise<void> {
    const earlier = before
    before = settle(batch, take(batch.map(({ value }) => value)), earlier)
    // The next batch, or the end, awaits this promise and reports the error.
    before.catch(() => {})
    await earlier
  }

  let batch: Candidate[] = []
  for await (const line of readLines(chunks, longestLine)) {
    if (signal?.aborted) break
    const candidate = parseCandidate(line)
    if ('refusal' in candidate) counts.add({ line: line.number, id: '?', accepted: false, text: candidate.refusal })
    else if (batch.push(candidate) === batchSize) {
      await send(batch)
      batch = []
    }
  }
  if (!signal?.aborted) await send(batch)
  await before
  return counts.result()
}

interface Candidate {
  readonly line: number
  readonly value: unknown
}

function parseCandidate({ number, bytes }: Line): Candidate | { readonly refusal: string } {
  if (bytes === undefined) return { refusal: 'invalid: line too long' }
  const parsed = parseJsonBytes(bytes)
  if (parsed === undefined) return { refusal: 'invalid: not JSON' }
  const value = eventIn(parsed)
  return isEphemeral(value) ? { refusal: 'invalid: ephemeral event expired' } : { line: number, value }
}

/** Programs that record a subscription write `["EVENT",{…}]` or `["EVENT","sub",{…}]`. */
function eventIn(value: unknown): unknown {
  if (!Array.isArray(value) || value[0] !== 'EVENT') return value
  return value.length > 2 ? value[2] : value[1]
}

const isEphemeral = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  typeof value.kind === 'number' &&
  classOf(value.kind) === 'ephemeral'

// Reads a file of JSON lines as a stream.

export interface Line {
  /** From 1 on. */
  readonly number: number
  /** Without the line break; undefined: longer than allowed. */
  readonly bytes: Buffer | undefined
}

const LINE_BREAK = 0x0a
const CARRIAGE_RETURN = 0x0d
const MARK = Buffer.from('\ufeff')
const BLANKS: ReadonlySet<number> = new Set(Buffer.from(' \t'))

/** Skips blank lines but counts them, and a byte order mark at the start. Holds at most `longest` bytes of a line. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<Line> {
  let number = 0
  let parts: Buffer[] = []
  let size = 0

  function add(part: Buffer): void {
    size += part.length
    if (size <= longest) parts.push(part)
    else parts = []
  }

  function line(): Line | undefined {
    number++
    const isTooLong = size > longest
    const bytes = isTooLong ? undefined : trimmed(withoutMark(Buffer.concat(parts), number))
    parts = []
    size = 0
    return bytes !== undefined && isBlank(bytes) ? undefined : { number, bytes }
  }

  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (let end = bytes.indexOf(LINE_BREAK); end >= 0; end = bytes.indexOf(LINE_BREAK, start)) {
      add(bytes.subarray(start, end))
      const found = line()
      if (found) yield found
      start = end + 1
    }
    add(bytes.subarray(start))
  }
  const last = size > 0 ? line() : undefined
  if (last) yield last
}

const withoutMark = (bytes: Buffer, number: number): Buffer =>
  number === 1 && bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes

const trimmed = (bytes: Buffer): Buffer => (bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes)

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => BLANKS.has(byte))
