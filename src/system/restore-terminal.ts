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
