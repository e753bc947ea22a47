// The end of input at a terminal: Ctrl-D on an empty line, or a line that hung up. A prompt would wait for ever.

/** Asks; undefined when the input ended first. Ctrl-C throws the prompt's own error. */
export async function orEnd<T>(
  ask: (context: { readonly signal: AbortSignal }) => Promise<T>,
  stdin: NodeJS.ReadStream = process.stdin,
): Promise<T | undefined> {
  const end = new AbortController()
  // The prompt's line reader stops its input when it ends; that it also does so after an answer does no harm.
  const onPause = () => setImmediate(() => end.abort())
  stdin.on('pause', onPause)
  stdin.on('end', onPause)
  try {
    return await ask({ signal: end.signal })
  } catch (error) {
    if (end.signal.aborted && error instanceof Error && error.name === 'AbortPromptError') return undefined
    throw error
  } finally {
    stdin.off('pause', onPause)
    stdin.off('end', onPause)
  }
}
