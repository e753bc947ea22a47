// A refusal is data first: what a rule list answers, what a payer reads, what an HTTP border turns into an error.
import { GrinpayError } from '../../lib/errors.js'

export interface SlateRefusal {
  /** Stable machine word. */
  readonly code: string
  /** For the payer: what is wrong, in one sentence without secrets. */
  readonly text: string
}

/** One rule: `broken` gives the text for the payer, or undefined when the rule holds. */
export interface SlateRule<Subject, Context> {
  readonly code: string
  readonly broken: (subject: Subject, context: Context) => string | undefined
}

/** The first broken rule in order. */
export function firstRefusal<S, C>(
  rules: readonly SlateRule<S, C>[],
  subject: S,
  context: C,
): SlateRefusal | undefined {
  for (const { code, broken } of rules) {
    const text = broken(subject, context)
    if (text !== undefined) return { code, text }
  }
  return undefined
}

/** A refusal as a GrinpayError, status 422. */
export const refusalError = ({ code, text }: SlateRefusal): GrinpayError => new GrinpayError(code, text, 422)
