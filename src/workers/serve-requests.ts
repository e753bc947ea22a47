// The worker's side of the conversation.
import { parentPort } from 'node:worker_threads'
import { collectGarbage, QUIET_MS } from '../lib/collect-garbage.js'
import { type FromWorker, packFailure } from './messages.js'

/** Warms up, reports ready, then answers every request with `answer`, and tidies up when none comes. To be called once, in a worker thread. */
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
