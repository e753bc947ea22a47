// One ring and the thread that checks what is in it. While there is no thread (it starts, it died), the main thread may check itself.
import type { Worker } from 'node:worker_threads'
import type { NostrEvent } from '../nostr/event/index.js'
import { createSignatureRing, RING_SLOTS } from './signature-ring.js'

/** `ready`: waits for the ring's memory. `checked`: there are verdicts. */
export type FromSignatureWorker = 'ready' | 'checked'

export interface SignatureThreadParts {
  /** Absent: the main thread checks everything. */
  readonly start: (() => Worker) | undefined
  /** Something may be taken, or the main thread is needed. */
  readonly onChange: () => void
}

export type SignatureThread = ReturnType<typeof openSignatureThread>

/** Pauses before a thread is started again that checked nothing, in milliseconds. */
const PAUSES_MS = [100, 1_000, 10_000, 60_000] as const

/** A thread of a busy machine needs so long at most to load, and to check one signature. */
const PATIENCE_MS = 10_000

/** Starts the thread at once. It does not keep the process alive, except while it has something to check. */
export function openSignatureThread({ start, onChange }: SignatureThreadParts) {
  const ring = createSignatureRing()
  let worker: Worker | undefined
  let isServed = false
  let isClosed = false
  let servedFrom = 0
  let failures = 0
  let pause: NodeJS.Timeout | undefined

  function onMessage(sender: Worker, word: FromSignatureWorker): void {
    ring.listen()
    if (word === 'ready') {
      isServed = true
      servedFrom = ring.position()
      sender.postMessage(ring.memory)
    } else onChange()
  }

  /** What the thread left unchecked is checked by the main thread: a signature that killed it cannot kill the next one. */
  function onExit(): void {
    if (isServed && ring.position() !== servedFrom) failures = 0
    worker = undefined
    isServed = false
    if (isClosed) return
    pause = setTimeout(seat, PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)]).unref()
    onChange()
  }

  function seat(): void {
    const seated = start?.()
    worker = seated
    // The exit that follows an error is enough.
    seated?.on('error', () => {}).once('exit', onExit)
    seated?.on('message', (word: FromSignatureWorker) => onMessage(seated, word))
    seated?.unref()
  }

  seat()

  return {
    hasRoom: (): boolean => ring.size() < RING_SLOTS,
    size: ring.size,

    post(event: NostrEvent): void {
      if (ring.size() === 0) worker?.ref()
      ring.post(event)
    },

    /** The oldest verdict that was not taken; undefined: there is none yet. */
    take(): boolean | undefined {
      const verdict = ring.take()
      if (verdict !== undefined && ring.size() === 0) worker?.unref()
      return verdict
    },

    /** Checks up to so many where no thread does. */
    help(most: number): void {
      for (let i = 0; i < most && !isServed && ring.checkNext(); i++);
    },

    /** Whether there is something that no thread will check. */
    needsHelp: (): boolean => !isServed && ring.size() > 0,

    /**
     * Ends the thread, by force only when it does not end within seconds: the library in C aborts the process when its thread is ended while
     * it loads. May be called again.
     */
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
