// Signatures of events checked beside the event loop, answered in the order in which they came (specification: relay, 5). The main
// thread checks one or two itself when nothing else is under way: that is sooner than waking another thread.
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../lib/start-worker.js'
import type { NostrEvent } from '../nostr/event/index.js'
import { isSignedBy } from '../nostr/keys/index.js'
import { openSignatureThread, type SignatureThread } from './signature-thread.js'

export interface VerifierOptions {
  /** Worker threads; one less than the processors, from one to four, unless told. 0: the main thread checks everything, a few per turn. */
  readonly threads?: number
  /** Starts a thread; for tests. */
  readonly start?: () => Worker
}

type Done = (genuine: boolean) => void

export interface SignatureVerifier {
  /** `done` is called once, in the order of submission, never within this call. What waits here is bounded by whoever submits. */
  submit(event: NostrEvent, done: Done): void
  /** Ends the threads and answers what still waits. May be called again. */
  close(): Promise<void>
}

interface Task {
  readonly event: NostrEvent
  readonly done: Done
  thread: SignatureThread | undefined
}

/** So many at most are checked in a turn by the main thread. */
const ALONE = 2
/** The same when there is no thread to do it: 0.4 ms. */
const HELP = 8

const isGenuine = ({ id, pubkey, sig }: NostrEvent): boolean => isSignedBy(pubkey, Buffer.from(id, 'hex'), sig)

const MOST_THREADS = 4
const usualThreads = (): number => Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1))

/** The lane with the least in it; undefined: all are full. */
function shortest(threadList: readonly SignatureThread[]): SignatureThread | undefined {
  let [best] = threadList
  for (const thread of threadList) if (best && thread.size() < best.size()) best = thread
  return best?.hasRoom() ? best : undefined
}

/** Starts the threads at once; until they are there, the main thread checks. */
export function openVerifier(options: VerifierOptions = {}): SignatureVerifier {
  const { threads = usualThreads(), start = () => startWorker(import.meta.url, 'signature') } = options
  const queue = createTaskQueue<Task>()
  let isTurnDue = false
  let onEmpty: (() => void) | undefined
  let closed: Promise<void> | undefined
  const threadList = Array.from({ length: Math.max(1, threads) }, () =>
    openSignatureThread({ start: threads > 0 ? start : undefined, onChange: collect }),
  )

  const isShort = (): boolean => !queue.isAtWork() && queue.waiting() <= ALONE

  function give(): void {
    for (let task = queue.next(); task; task = queue.next()) {
      const thread = shortest(threadList)
      if (!thread) return
      task.thread = thread
      thread.post(task.event)
      queue.give()
    }
  }

  /** Answers what is checked, up to the first that is not. */
  function collect(): void {
    for (let task = queue.oldest(); task; task = queue.oldest()) {
      const verdict = task.thread?.take()
      if (verdict === undefined) break
      queue.finish()
      task.done(verdict)
    }
    give()
    queue.clear()
    if (queue.isEmpty()) onEmpty?.()
    else if (threadList.some((thread) => thread.needsHelp())) requestTurn()
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
    give()
    for (const thread of threadList) thread.help(HELP)
    collect()
  }

  function requestTurn(): void {
    if (isTurnDue) return
    isTurnDue = true
    setImmediate(turn)
  }

  async function shut(): Promise<void> {
    await Promise.all(threadList.map((thread) => thread.close()))
    if (queue.isEmpty()) return
    await new Promise<void>((resolve) => {
      onEmpty = resolve
      requestTurn()
    })
  }

  return {
    submit(event, done) {
      queue.add({ event, done, thread: undefined })
      if (!isShort()) give()
      requestTurn()
    },
    close() {
      closed ??= shut()
      return closed
    },
  }
}

/** How many finished tasks may lie at the front before they are cleared away: the array is moved that seldom. */
const LITTER = 4096

function createTaskQueue<T>() {
  const tasks: T[] = []
  // done … first, at work … given, waiting … the end
  let first = 0
  let given = 0

  return {
    add: (task: T): void => void tasks.push(task),
    waiting: (): number => tasks.length - given,
    isAtWork: (): boolean => first < given,
    isEmpty: (): boolean => first === tasks.length,
    /** The oldest one that waits. */
    next: (): T | undefined => tasks[given],
    /** The oldest one that waits is being worked on. */
    give: (): void => void given++,
    /** The oldest one that is being worked on. */
    oldest: (): T | undefined => (first < given ? tasks[first] : undefined),
    /** The oldest one is done, whether it was given to somebody or not. */
    finish(): void {
      first++
      given = Math.max(given, first)
    },
    /** Lets go of what is done. */
    clear(): void {
      if (first < tasks.length && first < LITTER) return
      tasks.splice(0, first)
      given -= first
      first = 0
    },
  }
}
