// Stop signals: the first asks, the second does not wait.
import { isatty } from 'node:tty'

/** What is listened to and how the process ends at once; a stand-in in tests. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown
  off(signal: NodeJS.Signals, listener: () => void): unknown
  exit(code: number): void
}

/** Whether a terminal is attached; false as soon as it was closed. */
type OnTerminal = () => boolean

const onTerminal: OnTerminal = () => isatty(0)

const STOP: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP']
const INTERRUPTED = 130

/**
 * Calls `stop` at the first signal; a second one ends the process with 130. With `reload`, SIGHUP asks for that instead, as
 * often as it comes, unless it comes because the terminal was closed. Answers how to stop listening.
 */
export function onStopSignal(
  stop: (signal: NodeJS.Signals) => void,
  source: SignalSource = process,
  reload?: () => void,
  isOnTerminal = onTerminal,
): () => void {
  let asked = false
  const hadTerminal = isOnTerminal()
  const isAbandoned = () => hadTerminal && !isOnTerminal()
  const listeners = STOP.map((signal) => {
    const listener = () => {
      if (signal === 'SIGHUP' && reload && !isAbandoned()) return reload()
      if (asked) return signal === 'SIGHUP' ? undefined : source.exit(INTERRUPTED) // a closed terminal says it twice
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
