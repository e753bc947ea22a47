// One question on its way to a reader and back.
import type { Waiting } from '../../../relay/index.js'

/** The asker's side. */
export interface Handover<T> extends Waiting {
  /** True when there is nothing more to wait for. */
  readonly isOver: boolean
  /** Bytes of an answer that was not taken yet. */
  readonly heldBytes: number
  /** The answer, once; undefined: no reader could give one. */
  take(): T | undefined
  /** The answer is no longer wanted. */
  drop(): void
}

/** The pool's side. */
export interface ReaderDelivery<T> {
  answered(value: T, bytes: number): void
  failed(): void
}

/** `ms`: what the answer is expected to cost. `onHeld` hears by how many bytes the untaken answers grow and shrink. */
export function createHandover<T>(ms: number, onHeld: (bytes: number) => void): Handover<T> & ReaderDelivery<T> {
  let value: T | undefined
  let heldBytes = 0
  let isOver = false
  let resume: ((ms: number) => void) | undefined

  function end(): void {
    isOver = true
    const run = resume
    resume = undefined
    run?.(ms)
  }

  function release(): void {
    onHeld(-heldBytes)
    heldBytes = 0
  }

  return {
    get isOver() {
      return isOver
    },
    get heldBytes() {
      return heldBytes
    },
    answered(given, bytes) {
      if (isOver) return
      value = given
      heldBytes = bytes
      onHeld(bytes)
      end()
    },
    failed() {
      if (!isOver) end()
    },
    take() {
      const taken = value
      value = undefined
      release()
      return taken
    },
    drop() {
      isOver = true
      value = undefined
      resume = undefined
      release()
    },
    whenReady(run) {
      resume = run
    },
  }
}
