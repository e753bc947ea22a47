// The worker's side of the conversation.
import { parentPort } from 'node:worker_threads'
import { type FromWorker, packFailure } from './messages.js'

/** Warms up, reports ready, then answers every request with `answer`. To be called once, in a worker thread. */
export function serveRequests<Q, A>({ warm, answer }: { warm: () => void; answer: (request: Q) => A }): void {
  const port = parentPort
  if (!port) throw new Error('a worker entry runs in a worker thread only')
  const post = (message: FromWorker<A>): void => port.postMessage(message)
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
