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

// A question changes the terminal: what is typed is not echoed, the cursor is hidden. A signal that ends the process must not leave it so.
const SIGNALS = [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const
const SHELL_OFFSET = 128
const SHOW_CURSOR = '\x1b[?25h'

/** The same question; a signal while it waits restores the terminal and ends the process with the exit code that shells give. */
export function restoringTerminal<Given extends readonly unknown[], Answer>(
  ask: (...given: Given) => Promise<Answer>,
): (...given: Given) => Promise<Answer> {
  return async (...given) => {
    const listeners = SIGNALS.map(([signal, number]) => ({
      signal,
      listener: () => {
        restoreTerminal()
        process.exit(SHELL_OFFSET + number)
      },
    }))
    for (const { signal, listener } of listeners) process.prependListener(signal, listener)
    try {
      return await ask(...given)
    } finally {
      for (const { signal, listener } of listeners) process.off(signal, listener)
    }
  }
}

function restoreTerminal(): void {
  const { stdin, stdout, stderr } = process
  if (stdin.isTTY) stdin.setRawMode(false)
  const screen = [stdout, stderr].find(({ isTTY }) => isTTY)
  screen?.write(`${SHOW_CURSOR}\n`)
}

// The last work of a process, which cannot wait: also when it ends by an uncaught error, such as output to a closed terminal.
/** Answers how to leave it out. */
export function atExit(work: () => void): () => void {
  process.once('exit', work)
  return () => void process.off('exit', work)
}
