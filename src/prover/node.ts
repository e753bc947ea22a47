// Worker threads of Node for the pool, and the other side: what a thread's entry calls.
import { parentPort, type Worker } from 'node:worker_threads'
import { messageOf } from '../lib/errors.js'
import type { Thread } from './messages.js'
import { responseTo } from './messages.js'

/** A thread of Node as the pool takes it. */
export function nodeThread(worker: Worker): Thread {
  worker.on('error', () => {}) // without any listener it would end the process
  return {
    post: (message) => worker.postMessage(message),
    listen({ message = () => {}, failure = () => {} }) {
      const onError = (error: unknown) => failure(messageOf(error))
      const onExit = (code: number) => failure(`exit code ${code}`)
      worker.on('message', message).on('error', onError).on('exit', onExit)
      return () => void worker.off('message', message).off('error', onError).off('exit', onExit)
    },
    hold: (isHeld) => void (isHeld ? worker.ref() : worker.unref()),
    terminate: async () => void (await worker.terminate()),
  }
}

interface Service<Q, A> {
  readonly warm: () => void
  readonly answer: (request: Q) => A
  /** Called after every message that was sent. */
  readonly afterwards?: () => void
}

/** Warms up, reports ready, then answers requests. Call it once, in a worker thread. */
export function serveRequests<Q, A>({ warm, answer, afterwards = () => {} }: Service<Q, A>): void {
  const port = parentPort
  if (!port) throw new Error('a worker entry runs in a worker thread only')
  port.on('message', (request: Q) => {
    port.postMessage(responseTo(request, answer))
    afterwards()
  })
  warm()
  port.postMessage({ kind: 'ready' })
  afterwards()
}
