// How a log ends: closed by its process, or lost for good.
import { GrinpayError } from '../../../lib/errors.js'

export interface Life {
  /** Aborts at the end: nothing is appended or applied any more. */
  readonly signal: AbortSignal
  /** Resolves when the log is lost. */
  readonly failure: Promise<GrinpayError>
  lost(error: unknown): void
  end(): void
}

export function createLife(): Life {
  const ending = new AbortController()
  let fail = (_error: GrinpayError): void => undefined
  const failure = new Promise<GrinpayError>((resolve) => {
    fail = resolve
  })
  return {
    signal: ending.signal,
    failure,
    lost(error) {
      if (!(error instanceof GrinpayError)) return
      fail(error)
      ending.abort()
    },
    end: () => ending.abort(),
  }
}
