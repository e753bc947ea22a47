// One export or import: its thread, and what is known of it.
import type { Worker } from 'node:worker_threads'
import { GrinpayError } from '../../../../lib/errors.js'
import type { Clock } from '../../../../lib/ports.js'
import type { Move } from '../../../../relay/console/index.js'
import { moveFailed } from '../../../errors.js'
import type { FromMove, MoveProblem, MoveProgress, ToMove } from './messages.js'

export interface JobParts extends Pick<Move, 'id' | 'kind' | 'file' | 'by'> {
  readonly worker: Worker
  readonly clock: Pick<Clock, 'now'>
  /** Called once, with the job as it ended. */
  readonly onEnd: (move: Move) => void
}

export interface MoveJob {
  view(): Move
  /** The thread ends soon; what an import stored stays. */
  stop(): void
  /** Resolves when nothing keeps it from beginning; throws what does. */
  readonly begun: Promise<void>
  /** Resolves at its end, whatever it is. */
  readonly ended: Promise<void>
}

/** The thread does not keep the process alive, and ends by itself: to end it by force inside of the database library aborts the process. */
export function createJob({ id, kind, file, by, worker, clock, onEnd }: JobParts): MoveJob {
  const begun = createLatch()
  const ended = createLatch()
  // Who starts it waits for `begun` for a while only.
  begun.promise.catch(() => {})
  let move: Move = {
    ...{ id, kind, file, by, startedAt: clock.now(), endedAt: null, state: 'running' },
    ...{ events: 0, bytes: 0, totalEvents: null, totalBytes: null, result: null, problem: null },
  }

  function end(change: Pick<Move, 'state'> & Partial<Pick<Move, 'problem'>>): void {
    if (move.endedAt !== null) return
    move = { ...move, endedAt: clock.now(), ...change }
    onEnd(move)
    begun.resolve()
    ended.resolve()
  }

  function fail(problem: MoveProblem): void {
    const { code, text, status, hint } = problem
    begun.reject(new GrinpayError(code, text, status, hint))
    end({ state: 'failed', problem: { code, text, hint } })
  }

  function onMessage(message: FromMove): void {
    switch (message.kind) {
      case 'failed':
        fail(message.problem)
        break
      case 'begun':
        move = { ...move, totalEvents: message.totalEvents, totalBytes: message.totalBytes }
        begun.resolve()
        break
      case 'progress':
        move = { ...move, ...progressOf(message) }
        break
      case 'ended':
        move = { ...move, ...progressOf(message) }
        end({ state: message.isStopped ? 'stopped' : 'done' })
    }
  }

  const died = (why: string) => fail(problemOf(moveFailed(why)))
  worker.on('message', onMessage)
  worker.on('error', ({ message }) => died(message))
  worker.once('exit', () => died('its thread ended'))
  worker.unref()
  return {
    view: () => move,
    stop() {
      if (move.state !== 'running') return
      move = { ...move, state: 'stopping' }
      worker.postMessage('stop' satisfies ToMove)
    },
    begun: begun.promise,
    ended: ended.promise,
  }
}

const progressOf = ({ events, bytes, counts }: MoveProgress): Partial<Move> => ({
  ...{ events, bytes },
  ...(counts && { result: counts }),
})

const problemOf = ({ code, message: text, status, hint = '' }: GrinpayError): MoveProblem => ({
  ...{ code, text, status, hint },
})

/** A promise that is settled from outside. */
function createLatch() {
  let resolve = (): void => {}
  let reject = (_thrown: Error): void => {}
  const promise = new Promise<void>((settle, fail) => {
    resolve = settle
    reject = fail
  })
  return { promise, resolve, reject }
}
