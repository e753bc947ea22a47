// A slot for one worker thread: it handles one request at a time and replaces a thread that hangs or dies.
import { workerDied, workerStuck } from './errors.js'
import { type FromWorker, type Thread, unpackFailure } from './messages.js'

export interface SlotParts {
  readonly start: () => Thread
  /** Time limit of a thread for one request, in milliseconds. */
  readonly deadlineMs: number
  /** Time limit for the start of a thread, in milliseconds. Default: 60 seconds. */
  readonly startMs?: number
}

/** Settles with the thread's next message. A thread that hangs, fails or exits is an error. */
function nextMessage<A>(thread: Thread, deadlineMs: number): Promise<FromWorker<A>> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      stopListening()
      finish()
    }
    const timer = setTimeout(() => settle(() => reject(workerStuck(deadlineMs))), deadlineMs)
    const stopListening = thread.listen({
      message: (message) => settle(() => resolve(message as FromWorker<A>)),
      failure: (why) => settle(() => reject(workerDied(why))),
    })
  })
}

/** Creates an empty slot; `warm` or the first `run` starts the thread. An idle thread does not keep the process alive. */
export function createSlot<Q, A>({ start, deadlineMs, startMs = 60_000 }: SlotParts) {
  let starting: Promise<Thread> | undefined
  let thread: Thread | undefined

  async function dismiss(): Promise<void> {
    const old = thread
    thread = undefined
    starting = undefined
    await old?.terminate()
  }

  async function startThread(): Promise<Thread> {
    const started = start()
    thread = started
    // A failure between requests must not crash the process: the next request gets a new thread.
    started.listen({
      failure: () => {
        if (thread === started) void dismiss()
      },
    })
    await nextMessage(started, startMs)
    started.hold(false)
    return started
  }

  async function warm(): Promise<Thread> {
    starting ??= startThread()
    try {
      return await starting
    } catch (error) {
      await dismiss()
      throw error
    }
  }

  async function run(request: Q): Promise<A> {
    const serving = await warm()
    serving.hold(true)
    serving.post(request)
    let message: FromWorker<A>
    try {
      message = await nextMessage<A>(serving, deadlineMs)
    } catch (error) {
      await dismiss()
      throw error
    }
    serving.hold(false)
    if (message.kind === 'failure') throw unpackFailure(message.failure)
    if (message.kind === 'answer') return message.value
    throw new Error('a worker thread reported ready twice')
  }

  return { warm, run, dismiss }
}

export type Slot<Q, A> = ReturnType<typeof createSlot<Q, A>>
