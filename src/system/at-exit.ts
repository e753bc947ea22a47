// The last work of a process, which cannot wait: also when it ends by an uncaught error, such as output to a closed terminal.

/** Answers how to leave it out. */
export function atExit(work: () => void): () => void {
  process.once('exit', work)
  return () => void process.off('exit', work)
}
