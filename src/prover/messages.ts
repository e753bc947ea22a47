// The protocol between main thread and worker: one request at a time, one answer each.
import { GrinpayError, messageOf } from '../lib/errors.js'

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

/** A serialisable failure; expected ones keep their code. */
interface Failure {
  readonly message: string
  readonly expected?: { readonly code: string; readonly status: number; readonly hint?: string }
}

/** `ready` is sent once, after warm-up. */
export type FromWorker<A> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly value: A }
  | { readonly kind: 'failure'; readonly failure: Failure }

/** Serialises a thrown value. */
function packFailure(thrown: unknown): Failure {
  if (!(thrown instanceof GrinpayError)) return { message: messageOf(thrown) }
  const { code, status, hint, message } = thrown
  return { message, expected: hint === undefined ? { code, status } : { code, status, hint } }
}

/** The inverse: restores a GrinpayError from an expected failure. */
export function unpackFailure({ message, expected }: Failure): Error {
  return expected ? new GrinpayError(expected.code, message, expected.status, expected.hint) : new Error(message)
}

/** What a worker sends for a request. */
export function responseTo<Q, A>(request: Q, answer: (request: Q) => A): FromWorker<A> {
  try {
    return { kind: 'answer', value: answer(request) }
  } catch (thrown) {
    return { kind: 'failure', failure: packFailure(thrown) }
  }
}
