// The protocol between main thread and worker: one request at a time, one answer each.

import { parentPort } from 'node:worker_threads'
import { collectGarbage, QUIET_MS } from '../lib/collect-garbage.js'
import { GrinpayError, messageOf } from '../lib/errors.js'

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

/** Warms up, reports ready, then answers requests; collects garbage when idle. Call it once, in a worker thread. */
export function serveRequests<Q, A>({ warm, answer }: { warm: () => void; answer: (request: Q) => A }): void {
  const port = parentPort
  if (!port) throw new Error('a worker entry runs in a worker thread only')
  let whenQuiet: NodeJS.Timeout | undefined
  const post = (message: FromWorker<A>): void => {
    port.postMessage(message)
    clearTimeout(whenQuiet)
    whenQuiet = setTimeout(collectGarbage, QUIET_MS).unref()
  }
  port.on('message', (request: Q) => {
    try {
      post({ kind: 'answer', value: answer(request) })
    } catch (thrown) {
      post({ kind: 'failure', failure: packFailure(thrown) })
    }
  })
  warm()
  post({ kind: 'ready' })
}
