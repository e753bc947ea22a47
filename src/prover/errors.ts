// What can go wrong between a request and its worker thread.
import { defineError } from '../lib/errors.js'

export const workersBusy = defineError('WORKERS_BUSY', {
  status: 503,
  text: (waiting: number) => `all worker threads are busy and ${waiting} requests wait already`,
  hint: 'retry in a few seconds',
})

export const workerStuck = defineError('WORKER_STUCK', {
  status: 503,
  text: (deadlineMs: number) => `a worker thread did not answer within ${deadlineMs} ms and was replaced`,
  hint: 'retry; if it happens often, the machine is overloaded',
})

export const workerDied = defineError('WORKER_DIED', {
  status: 503,
  text: (why: string) => `a worker thread ended: ${why}`,
  hint: 'retry; if it happens often, add memory',
})

export const workersClosed = defineError('WORKERS_CLOSED', {
  status: 503,
  text: () => 'the worker threads are shut down',
  hint: 'the program is stopping, or the prover was closed: retry when it runs again',
})
