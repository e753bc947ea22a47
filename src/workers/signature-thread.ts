// A ring and its thread. Without a running thread (it starts, or died) the main thread may check.
import type { Worker } from 'node:worker_threads'
import type { NostrEvent } from '../nostr/event/index.js'
import type { SignatureCheck } from '../nostr/keys/index.js'
import { createSignatureRing, RING_SLOTS } from './signature-ring.js'

/** `ready`: waits for the ring's memory, and how it checks. `checked`: verdicts are available. */
export type FromSignatureWorker = { readonly ready: SignatureCheck } | 'checked'

export interface SignatureThreadParts {
  /** Absent: the main thread checks everything. */
  readonly start: (() => Worker) | undefined
  /** Called when verdicts may be taken, or the main thread must help. */
  readonly onChange: () => void
  /** Called whenever a thread is ready, with the code that it checks by. */
  readonly onReady?: ((check: SignatureCheck) => void) | undefined
}

export type SignatureThread = ReturnType<typeof openSignatureThread>

/** Pauses before restarting a thread that checked nothing, in milliseconds. */
const PAUSES_MS = [100, 1_000, 10_000, 60_000] as const

/** Time that a thread on a busy machine may need to load, and to check one signature. */
const PATIENCE_MS = 10_000

/** Starts the thread at once. It keeps the process alive only while it has signatures to check. */
export function openSignatureThread({ start, onChange, onReady }: SignatureThreadParts) {
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
