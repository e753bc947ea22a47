// Checks signatures of events in threads and answers in order of submission (specification: relay, 5). When idle, the main thread checks one or two
// itself, which is faster than waking a thread.
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { Fifo } from '../lib/fifo.js'
import { startWorker } from '../lib/start-worker.js'
import type { NostrEvent } from '../nostr/event/index.js'
import { isSignedBy, type SignatureCheck } from '../nostr/keys/index.js'
import { openSignatureThread, type SignatureThread } from './signature-thread.js'

export interface VerifierOptions {
  /** Number of threads. Default: processors minus one, from one to four. 0: the main thread checks everything, a few per turn. */
  readonly threads?: number
  /** Starts a thread; for tests. */
  readonly start?: () => Worker
  /** Called whenever a thread is ready, with the code that it checks by: the main thread need not load the library to know it. */
  readonly onReady?: (check: SignatureCheck) => void
}

type Done = (genuine: boolean) => void

export interface SignatureVerifier {
  /** Calls `done` once, in order of submission, never within this call. The caller bounds the number of waiting events. */
  submit(event: NostrEvent, done: Done): void
  /** Ends the threads and answers waiting events. Idempotent. */
  close(): Promise<void>
}

interface Task {
  readonly event: NostrEvent
  readonly done: Done
  thread: SignatureThread | undefined
}

/** Signatures per turn that the main thread checks itself. */
const ALONE = 2
/** The same without a running thread: 0.4 ms. */
const HELP = 8

const isGenuine = ({ id, pubkey, sig }: NostrEvent): boolean => isSignedBy(pubkey, Buffer.from(id, 'hex'), sig)

const MOST_THREADS = 4

/** Threads by processors: half of them, because writing and queries need the others; docs/performance.md has the model. */
export const signatureThreadCount = (processors = availableParallelism()): number =>
  Math.max(1, Math.min(MOST_THREADS, Math.floor(processors / 2)))

/** The thread with the shortest queue; undefined: all are full. */
function shortest(signatureThreads: readonly SignatureThread[]): SignatureThread | undefined {
  let [best] = signatureThreads
  for (const thread of signatureThreads) if (best && thread.size() < best.size()) best = thread
  return best?.hasRoom() ? best : undefined
}

/** Starts the threads at once; until they run, the main thread checks. */
export function openVerifier(options: VerifierOptions = {}): SignatureVerifier {
  const { threads = signatureThreadCount(), start = () => startWorker(import.meta.url, 'signature'), onReady } = options
  const waiting = new Fifo<Task>()
  const inProgress = new Fifo<Task>()
  let isTurnDue = false
  let onEmpty: (() => void) | undefined
  let closed: Promise<void> | undefined
  const signatureThreads = Array.from({ length: Math.max(1, threads) }, () =>
    openSignatureThread({ start: threads > 0 ? start : undefined, onChange: collect, onReady }),
  )

  const isEmpty = (): boolean => waiting.length === 0 && inProgress.length === 0
  const isShort = (): boolean => inProgress.length === 0 && waiting.length <= ALONE

  function dispatch(): void {
    for (let task = waiting.first; task; task = waiting.first) {
      const thread = shortest(signatureThreads)
      if (!thread) return
      task.thread = thread
      thread.post(task.event)
      waiting.shift()
      inProgress.push(task)
    }
  }

  /** Answers checked events in order, up to the first unchecked one. */
  function collect(): void {
    for (let task = inProgress.first; task; task = inProgress.first) {
      const verdict = task.thread?.take()
      if (verdict === undefined) break
      inProgress.shift()
      task.done(verdict)
    }
    dispatch()
    if (isEmpty()) onEmpty?.()
    else if (signatureThreads.some((thread) => thread.needsHelp())) requestTurn()
  }

  function checkAlone(): void {
    // What `done` submits waits for the next turn, or is in progress with a thread and comes first.
    for (let left = waiting.length; left > 0 && inProgress.length === 0; left--) {
      const task = waiting.shift()
      task?.done(isGenuine(task.event))
    }
  }

  function turn(): void {
    isTurnDue = false
    if (isShort()) checkAlone()
    dispatch()
    for (const thread of signatureThreads) thread.help(HELP)
    collect()
  }

  function requestTurn(): void {
    if (isTurnDue) return
    isTurnDue = true
    setImmediate(turn)
  }

  async function shut(): Promise<void> {
    await Promise.all(signatureThreads.map((thread) => thread.close()))
    if (isEmpty()) return
    await new Promise<void>((resolve) => {
      onEmpty = resolve
      requestTurn()
    })
  }

  return {
    submit(event, done) {
      waiting.push({ event, done, thread: undefined })
      if (!isShort()) dispatch()
      requestTurn()
    },
    close() {
      closed ??= shut()
      return closed
    },
  }
}
