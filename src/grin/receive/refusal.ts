// Refusals of slates as data: the result of a rule list, the text for the payer, and an error for HTTP.
import { GrinpayError } from '../../lib/errors.js'

/** Why a slate is refused: the first rule that it breaks. */
export interface SlateRefusal {
  /** Stable machine-readable code. */
  readonly code: string
  /** The fault in one sentence for the payer, without secrets. */
  readonly text: string
}

/** `broken` returns the text for the payer, or undefined if the rule holds. */
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
