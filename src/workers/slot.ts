// A slot for one worker thread: it handles one request at a time and replaces a thread that hangs or dies.
import type { Worker } from 'node:worker_threads'
import { messageOf } from '../lib/errors.js'
import { workerDied, workerStuck } from './errors.js'
import { type FromWorker, unpackFailure } from './messages.js'

export interface SlotParts {
  readonly start: () => Worker
  /** Time limit of a thread for one request, in milliseconds. */
  readonly deadlineMs: number
  /** Time limit for the start of a thread, in milliseconds. Default: 60 seconds. */
  readonly startMs?: number
}

/** Settles with the thread's next message. A thread that hangs, fails or exits is an error. */
function nextMessage<A>(worker: Worker, deadlineMs: number): Promise<FromWorker<A>> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      finish()
    }
    const onMessage = (message: FromWorker<A>) => settle(() => resolve(message))
    const onError = (error: unknown) => settle(() => reject(workerDied(messageOf(error))))
    const onExit = (code: number) => settle(() => reject(workerDied(`exit code ${code}`)))
    const timer = setTimeout(() => settle(() => reject(workerStuck(deadlineMs))), deadlineMs)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
}

/** Creates an empty slot; `warm` or the first `run` starts the thread. An idle thread does not keep the process alive. */
export function createSlot<Q, A>({ start, deadlineMs, startMs = 60_000 }: SlotParts) {
  let starting: Promise<Worker> | undefined
  let thread: Worker | undefined

  async function dismiss(): Promise<void> {
    const old = thread
    thread = undefined
    starting = undefined
    await old?.terminate()
  }

  async function startThread(): Promise<Worker> {
    const worker = start()
    thread = worker
    // A failure between requests must not crash the process: the next request notices the exit.
    worker.on('error', () => {})
    worker.once('exit', () => {
      if (thread === worker) void dismiss()
    })
    await nextMessage(worker, startMs)
    worker.unref()
    return worker
  }

  async function warm(): Promise<Worker> {
    starting ??= startThread()
    try {
      return await starting
    } catch (error) {
      await dismiss()
      throw error
    }
  }

  async function run(request: Q): Promise<A> {
    const worker = await warm()
    worker.ref()
    worker.postMessage(request)
    let message: FromWorker<A>
    try {
      message = await nextMessage<A>(worker, deadlineMs)
    } catch (error) {
      await dismiss()
      throw error
    }
    worker.unref()
    if (message.kind === 'failure') throw unpackFailure(message.failure)
    if (message.kind === 'answer') return message.value
    throw new Error('a worker thread reported ready twice')
  }

  return { warm, run, dismiss }
}

export type Slot<Q, A> = ReturnType<typeof createSlot<Q, A>>
