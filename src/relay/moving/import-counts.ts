// Counts the outcomes of the lines of an import.
import { plainText } from '../../lib/plain-text.js'

export interface ImportCounts {
  readonly lines: number
  readonly stored: number
  /** Duplicates. */
  readonly known: number
  /** Replaced by a newer version, deleted by their author, or expired. Nothing is missing. */
  readonly outdated: number
  readonly refused: number
  /** The reasons of refusals, and how often each occurred. */
  readonly reasons: Readonly<Record<string, number>>
  /** The first refused lines. */
  readonly examples: readonly { readonly line: number; readonly id: string; readonly reason: string }[]
}

/** Answers that begin with one of these texts are not refusals. */
const OUTDATED = ['replaced:', 'deleted:', 'invalid: event expired', 'invalid: ephemeral event expired']
const KNOWN = 'duplicate:'
const MOST_REASONS = 20
const MOST_EXAMPLES = 20
const MOST_TEXT = 200

/** The answer to one line, in the words of an OK. */
export interface LineOutcome {
  readonly line: number
  readonly id: string
  readonly accepted: boolean
  readonly text: string
}

export function createImportCounts() {
  const counts = { lines: 0, stored: 0, known: 0, outdated: 0, refused: 0 }
  const reasons = new Map<string, number>()
  const examples: ImportCounts['examples'][number][] = []

  function refuse({ line, id, text }: LineOutcome): void {
    counts.refused++
    const reason = plainText(text.slice(0, MOST_TEXT)) || 'no reason given'
    const counted = reasons.has(reason) || reasons.size < MOST_REASONS ? reason : 'other reasons'
    reasons.set(counted, (reasons.get(counted) ?? 0) + 1)
    if (examples.length < MOST_EXAMPLES) examples.push({ line, id: plainText(id), reason })
  }

  return {
    add(outcome: LineOutcome): void {
      const { accepted, text } = outcome
      counts.lines++
      if (text.startsWith(KNOWN)) counts.known++
      else if (accepted) counts.stored++
      else if (OUTDATED.some((words) => text.startsWith(words))) counts.outdated++
      else refuse(outcome)
    },
    result: (): ImportCounts => ({
      ...counts,
      reasons: Object.fromEntries(reasons),
      examples: [...examples].sort((a, b) => a.line - b.line),
    }),
  }
}
