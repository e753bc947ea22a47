// Checks signatures of events in threads and answers in order of submission (specification: relay, 5). When idle, the main thread checks one or two
// itself, which is faster than waking a thread.

import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { Fifo } from '../lib/fifo.js'
import { startWorker } from '../lib/start-worker.js'
import type { NostrEvent } from '../nostr/event/index.js'
import { isSignedBy, type SignatureCheck } from '../nostr/keys/index.js'
import { createSignatureRing, RING_SLOTS } from './signature-ring.js'

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

// A ring and its thread. Without a running thread (it starts, or died) the main thread may check.

/** `ready`: waits for the ring's memory, and how it checks. `checked`: verdicts are available. */
export type FromSignatureWorker = { readonly ready: SignatureCheck } | 'checked'

interface SignatureThreadParts {
  /** Absent: the main thread checks everything. */
  readonly start: (() => Worker) | undefined
  /** Called when verdicts may be taken, or the main thread must help. */
  readonly onChange: () => void
  /** Called whenever a thread is ready, with the code that it checks by. */
  readonly onReady?: ((check: SignatureCheck) => void) | undefined
}

type SignatureThread = ReturnType<typeof openSignatureThread>

/** Pauses before restarting a thread that checked nothing, in milliseconds. */
const PAUSES_MS = [100, 1_000, 10_000, 60_000] as const

/** Time that a thread on a busy machine may need to load, and to check one signature. */
const PATIENCE_MS = 10_000

/** Starts the thread at once. It keeps the process alive only while it has signatures to check. */
function openSignatureThread({ start, onChange, onReady }: SignatureThreadParts) {
  const ring = createSignatureRing()
  let worker: Worker | undefined
  let isServed = false
  let isClosed = false
  let servedFrom = 0
  let failures = 0
  let pause: NodeJS.Timeout | undefined

  function onMessage(sender: Worker, word: FromSignatureWorker): void {
    ring.listen()
    if (word === 'checked') onChange()
    else {
      isServed = true
      servedFrom = ring.position()
      sender.postMessage(ring.memory)
      onReady?.(word.ready)
    }
  }

  /** The main thread checks what the thread left, so that a signature that killed it cannot kill the next one. */
  function onExit(): void {
    if (isServed && ring.position() !== servedFrom) failures = 0
    worker = undefined
    isServed = false
    if (isClosed) return
    pause = setTimeout(startThread, PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)]).unref()
    onChange()
  }

  function startThread(): void {
    const started = start?.()
    worker = started
    // The exit after an error is handled below.
    started?.on('error', () => {}).once('exit', onExit)
    started?.on('message', (word: FromSignatureWorker) => onMessage(started, word))
    started?.unref()
  }

  startThread()

  return {
    hasRoom: (): boolean => ring.size() < RING_SLOTS,
    size: ring.size,

    post(event: NostrEvent): void {
      if (ring.size() === 0) worker?.ref()
      ring.post(event)
    },

    /** Takes the oldest verdict; undefined: none is ready. */
    take(): boolean | undefined {
      const verdict = ring.take()
      if (verdict !== undefined && ring.size() === 0) worker?.unref()
      return verdict
    },

    /** Checks up to `most` signatures while no thread does. */
    help(most: number): void {
      for (let i = 0; i < most && !isServed && ring.checkNext(); i++);
    },

    /** True when signatures wait without a thread. */
    needsHelp: (): boolean => !isServed && ring.size() > 0,

    /** Ends the thread, by force only after a timeout: the C library aborts the process if its thread is terminated during loading. Idempotent. */
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(pause)
      ring.stop()
      if (!worker) return
      const ending = worker
      ending.ref()
      const force = setTimeout(() => void ending.terminate(), PATIENCE_MS)
      await new Promise((resolve) => ending.once('exit', resolve))
      clearTimeout(force)
    },
  }
}
