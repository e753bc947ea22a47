// Expected failures. Each module keeps a catalogue made with `defineError`; everything else that is thrown is a bug.
import { foreignText } from './plain-text.js'

/** An expected failure: what the outside sees of it is `code`, `message`, `hint` and `status`. */
export class GrinpayError extends Error {
  override readonly name = 'GrinpayError'
  constructor(
    /** Stable machine word, upper snake. */
    readonly code: string,
    message: string,
    /** HTTP status where the failure meets HTTP; `src/cli` maps it to an exit code. */
    readonly status: number,
    /** What to do about it, as a runnable command or one sentence. */
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }

  /** Members that an HTTP answer carries beside the usual ones; set by `telling`. */
  readonly members?: Readonly<Record<string, unknown>>

  /** What its text was made of, for the same text in another language; set by `defineError`. */
  declare readonly values?: readonly unknown[]
}

interface Definition<Args extends readonly unknown[]> {
  readonly status: number
  readonly text: (...args: Args) => string
  readonly hint?: string
}

/** What `defineError` returns: calling it makes the error, `is` recognises it. */
export interface ErrorFactory<Args extends readonly unknown[]> {
  (...args: Args): GrinpayError
  readonly code: string
  readonly status: number
  readonly hint: string | undefined
  is(error: unknown): error is GrinpayError
}

/** One entry of an error catalogue. `code` is the stable word, `text` what people read. */
export function defineError<Args extends readonly unknown[]>(
  code: string,
  { status, text, hint }: Definition<Args>,
): ErrorFactory<Args> {
  const make = (...args: Args) =>
    // Not enumerable: no log and no answer prints it.
    Object.defineProperty(new GrinpayError(code, text(...args), status, hint), 'values', { value: args })
  const is = (error: unknown): error is GrinpayError => error instanceof GrinpayError && error.code === code
  return Object.assign(make, { code, status, hint, is })
}

/** The error, remembering what led to it: for `--verbose` and the log. What people read of it stays the same. */
export const causedBy = (error: GrinpayError, cause: unknown): GrinpayError => Object.assign(error, { cause })

/** The error, with further members for the HTTP answer. A member named like a usual one is not shown. */
export const telling = (error: GrinpayError, members: Readonly<Record<string, unknown>>): GrinpayError =>
  Object.assign(error, { members })

/** The error, with a remedy that fits the case. */
export const hinting = (error: GrinpayError, hint: string): GrinpayError => Object.assign(error, { hint })

/** The text of anything that was thrown, for a log line. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : foreignText(thrown))

/** What `read` returns. Whatever it throws, `fault` makes the error that is thrown instead. */
export function orThrow<T>(read: () => T, fault: () => Error): T {
  try {
    return read()
  } catch {
    throw fault()
  }
}

/** Whether something thrown carries this `code` (or one that extends it, as SQLITE_BUSY_SNAPSHOT does). */
export const hasCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && thrown.code.startsWith(code)
