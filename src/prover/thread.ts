// A worker thread as a pool sees it: one of Node, or a Web Worker.

interface ThreadListeners {
  message(message: unknown): void
  /** The thread failed or ended; `why` says it in one line. It answers nothing any more, and may be reported more than once. */
  failure(why: string): void
}

export interface Thread {
  /** Sends a message, copied as `structuredClone` does. */
  post(message: unknown): void
  /** Adds listeners; the returned function removes them. */
  listen(listeners: Partial<ThreadListeners>): () => void
  /** While held, the thread keeps the process alive; a new thread is held. Without meaning in browsers. */
  hold(isHeld: boolean): void
  /** Ends the thread at once. Idempotent. */
  terminate(): Promise<void>
}
