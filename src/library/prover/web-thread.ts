// Web Workers for the pool.
import type { WebWorker, WebWorkerEvents } from '../../lib/web-types.js'
import type { Thread } from '../../prover/index.js'

/** A worker that its script ends, or the browser kills, says nothing: the deadline of its request notices it. */
export function webThread(worker: WebWorker): Thread {
  const failures = new Set<(why: string) => void>()
  return {
    post: (message) => worker.postMessage(message),
    listen({ message = () => {}, failure = () => {} }) {
      const onMessage = ({ data }: WebWorkerEvents['message']) => message(data)
      // An error event without a text: the script could not be loaded.
      const onError = ({ message: why }: WebWorkerEvents['error']) => failure(why || 'its script could not be loaded')
      const onUnreadable = () => failure('its answer could not be read')
      worker.addEventListener('message', onMessage)
      worker.addEventListener('error', onError)
      worker.addEventListener('messageerror', onUnreadable)
      failures.add(failure)
      return () => {
        failures.delete(failure)
        worker.removeEventListener('message', onMessage)
        worker.removeEventListener('error', onError)
        worker.removeEventListener('messageerror', onUnreadable)
      }
    },
    hold: () => {},
    /** No event follows: what is under way fails here, after every listener of an event that led to it. */
    async terminate() {
      worker.terminate()
      setTimeout(() => {
        for (const failure of [...failures]) failure('it was ended')
      })
    },
  }
}
