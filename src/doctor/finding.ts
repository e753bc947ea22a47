// What a check found out: one line for people, one item of the list for programs.
import { GrinpayError, messageOf } from '../lib/errors.js'

type Level = 'pass' | 'warn' | 'fail'

export interface Finding {
  readonly level: Level
  /** Which one of several, e.g. the address of a relay. */
  readonly about?: string | undefined
  /** One line; never a secret. */
  readonly detail: string
  /** What to do, as a command or a sentence. */
  readonly remedy?: string | undefined
}

export const pass = (detail: string): Finding => ({ level: 'pass', detail })
export const warn = (detail: string, remedy: string): Finding => ({ level: 'warn', detail, remedy })
export const fail = (detail: string, remedy: string): Finding => ({ level: 'fail', detail, remedy })

/** Whatever was thrown, with its own hint where it has one. */
export const failed = (thrown: unknown, remedy: string): Finding =>
  fail(messageOf(thrown), (thrown instanceof GrinpayError ? thrown.hint : undefined) ?? remedy)

export const about = (what: string, findings: readonly Finding[]): readonly Finding[] =>
  findings.map((finding) => ({ ...finding, about: what }))
