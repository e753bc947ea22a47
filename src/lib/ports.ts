// Time and the log, as everything takes them that needs them: `src/system` has the real ones, tests give their own. Randomness: random-bytes.ts.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since some moment, with fractions; never set, never back. For durations within this process. */
  monotonic(): number
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface Log {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

export interface DebugLog extends Log {
  debug(fields: object, text: string): void
}
