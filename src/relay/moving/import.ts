// Events out of a file: every line one event, alone or as the message of a client or a relay. Batches, two of them under way.
import { parseJsonBytes } from '../../lib/parse-json.js'
import { classOf } from '../../nostr/event/index.js'
import { createImportCounts, type ImportCounts, type LineOutcome } from './import-counts.js'
import { type Line, readLines } from './lines.js'

/** What was said to one event; the words are those of an OK. */
export type PublishAnswer = Omit<LineOutcome, 'line'>

export interface ImportParts {
  readonly chunks: AsyncIterable<Uint8Array>
  /** Bytes. */
  readonly longestLine: number
  /** Answers in the order of the values, none of which is checked yet. */
  readonly take: (values: readonly unknown[]) => Promise<readonly PublishAnswer[]>
  /** Called after every batch. */
  readonly onProgress?: ((sofar: ImportCounts) => void) | undefined
}

const BATCH = 500

/** Rejects with what `chunks` or `take` rejects; what was taken before stays taken, and a second run finds it. */
export async function importLines({ chunks, longestLine, take, onProgress }: ImportParts): Promise<ImportCounts> {
  const tally = createImportCounts()
  let before: Promise<void> = Promise.resolve()

  async function settle(batch: readonly Candidate[], said: Promise<readonly PublishAnswer[]>, earlier: Promise<void>) {
    const answers = await said
    await earlier
    for (const [place, { line }] of batch.entries())
      tally.add({ line, ...(answers[place] ?? { id: '?', accepted: false, text: 'error: no answer' }) })
    onProgress?.(tally.result())
  }

  async function send(batch: readonly Candidate[]): Promise<void> {
    const earlier = before
    before = settle(batch, take(batch.map(({ value }) => value)), earlier)
    // Told by whoever waits for it: the next batch, or the end.
    before.catch(() => {})
    await earlier
  }

  let batch: Candidate[] = []
  for await (const line of readLines(chunks, longestLine)) {
    const found = candidateIn(line)
    if ('refusal' in found) tally.add({ line: line.number, id: '?', accepted: false, text: found.refusal })
    else if (batch.push(found) === BATCH) {
      await send(batch)
      batch = []
    }
  }
  await send(batch)
  await before
  return tally.result()
}

interface Candidate {
  readonly line: number
  readonly value: unknown
}

function candidateIn({ number, bytes }: Line): Candidate | { readonly refusal: string } {
  if (bytes === undefined) return { refusal: 'invalid: line too long' }
  const parsed = parseJsonBytes(bytes)
  if (parsed === undefined) return { refusal: 'invalid: not JSON' }
  const value = eventIn(parsed)
  return isEphemeral(value) ? { refusal: 'invalid: ephemeral event expired' } : { line: number, value }
}

/** `["EVENT",{…}]` and `["EVENT","sub",{…}]` are how programs that listen write them down. */
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
