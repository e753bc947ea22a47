// Stop signals: the first asks, the second does not wait.

/** What is listened to and how the process ends at once; a stand-in in tests. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown
  off(signal: NodeJS.Signals, listener: () => void): unknown
  exit(code: number): void
}

const STOP: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP']
const INTERRUPTED = 130

/**
 * Calls `stop` at the first signal; a second one ends the process with 130. With `reload`, SIGHUP asks for that instead, any
 * number of times. Answers how to stop listening.
 */
export function onStopSignal(
  stop: (signal: NodeJS.Signals) => void,
  source: SignalSource = process,
  reload?: () => void,
): () => void {
  let asked = false
  const listeners = STOP.map((signal) => {
    const listener = () => {
      if (signal === 'SIGHUP' && reload) return reload()
      if (asked) return source.exit(INTERRUPTED)
      asked = true
      stop(signal)
    }
    source.on(signal, listener)
    return { signal, listener }
  })
  return () => {
    for (const { signal, listener } of listeners) source.off(signal, listener)
  }
}
