// Checks signatures of events in threads and answers in order of submission (specification: relay, 5). When idle, the main thread checks one or two
// itself, which is faster than waking a thread.
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../lib/start-worker.js'
import type { NostrEvent } from '../nostr/event/index.js'
import { isSignedBy, type SignatureCheck } from '../nostr/keys/index.js'
import { openSignatureThread, type SignatureThread } from './signature-thread.js'

// Tasks in the order in which they were added: done, in progress, waiting.
/** Finished tasks at the front of the array before they are removed, so that the array is seldom moved. */
const LITTER = 4096

export function createTaskQueue<T>() {
  const tasks: (T | undefined)[] = []
  // done … first, at work … given, waiting … the end
  let first = 0
  let given = 0

  return {
    add: (task: T): void => void tasks.push(task),
    waiting: (): number => tasks.length - given,
    isAtWork: (): boolean => first < given,
    isEmpty: (): boolean => first === tasks.length,
    /** The oldest waiting task. */
    next: (): T | undefined => tasks[given],
    /** Marks the oldest waiting task as in progress. */
    dispatch: (): void => void given++,
    /** The oldest task in progress. */
    oldest: (): T | undefined => (first < given ? tasks[first] : undefined),
    /**
     * Marks the oldest task as done, in progress or not. Its place is emptied at once: from an array that has grown old, each event would follow
     * into the old generation of the heap, and a full collection would come every few seconds.
     */
    finish(): void {
      tasks[first++] = undefined
      given = Math.max(given, first)
    },
    /** Releases finished tasks. */
    clear(): void {
      if (first < tasks.length && first < LITTER) return
      tasks.splice(0, first)
      given -= first
      first = 0
    },
  }
}

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
  const queue = createTaskQueue<Task>()
  let isTurnDue = false
  let onEmpty: (() => void) | undefined
  let closed: Promise<void> | undefined
  const signatureThreads = Array.from({ length: Math.max(1, threads) }, () =>
    openSignatureThread({ start: threads > 0 ? start : undefined, onChange: collect, onReady }),
  )

  const isShort = (): boolean => !queue.isAtWork() && queue.waiting() <= ALONE

  function dispatch(): void {
    for (let task = queue.next(); task; task = queue.next()) {
      const thread = shortest(signatureThreads)
      if (!thread) return
      task.thread = thread
      thread.post(task.event)
      queue.dispatch()
    }
  }

  /** Answers checked events in order, up to the first unchecked one. */
  function collect(): void {
    for (let task = queue.oldest(); task; task = queue.oldest()) {
      const verdict = task.thread?.take()
      if (verdict === undefined) break
      queue.finish()
      task.done(verdict)
    }
    dispatch()
    queue.clear()
    if (queue.isEmpty()) onEmpty?.()
    else if (signatureThreads.some((thread) => thread.needsHelp())) requestTurn()
  }

  function checkAlone(): void {
    for (let left = queue.waiting(), task = queue.next(); left > 0 && task; left--, task = queue.next()) {
      queue.finish()
      task.done(isGenuine(task.event))
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
    if (queue.isEmpty()) return
    await new Promise<void>((resolve) => {
      onEmpty = resolve
      requestTurn()
    })
  }

  return {
    submit(event, done) {
      queue.add({ event, done, thread: undefined })
      if (!isShort()) dispatch()
      requestTurn()
    },
    close() {
      closed ??= shut()
      return closed
    },
  }
}
