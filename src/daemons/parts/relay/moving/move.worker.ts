// Thread entry: one export or import, then the thread ends.
import { parentPort, workerData } from 'node:worker_threads'
import { GrinpayError, messageOf } from '../../../../lib/errors.js'
import { foreignText } from '../../../../lib/plain-text.js'
import { moveFailed } from '../../../errors.js'
import type { FromMove, MoveContext, MoveProblem, MoveProgress, MoveTask, ToMove } from './messages.js'

const PROGRESS_MS = 250

const port = parentPort
if (!port) throw new Error('a worker entry runs in a worker thread only')
const post = (message: FromMove): void => port.postMessage(message)

const stopping = new AbortController()
let progress: MoveProgress = { events: 0, bytes: 0 }
const context: MoveContext = {
  signal: stopping.signal,
  begun: (totals) => post({ kind: 'begun', ...totals }),
  progress(now) {
    progress = now
  },
}

async function run(task: MoveTask): Promise<void> {
  if (task.kind === 'export') await (await import('./export-task.js')).exportTo(task, context)
  else await (await import('./import-task.js')).importFrom(task, context)
}

function problemOf(thrown: unknown): MoveProblem {
  const {
    code,
    message: text,
    status,
    hint = '',
  } = thrown instanceof GrinpayError ? thrown : moveFailed(messageOf(thrown))
  return { code, text, status, hint }
}

port.on('message', (message: ToMove) => message === 'stop' && stopping.abort())
const reporting = setInterval(() => post({ kind: 'progress', ...progress }), PROGRESS_MS)
try {
  await run(JSON.parse(foreignText(workerData)) as MoveTask)
  post({ kind: 'ended', isStopped: stopping.signal.aborted, ...progress })
} catch (thrown) {
  if (stopping.signal.aborted) post({ kind: 'ended', isStopped: true, ...progress })
  else post({ kind: 'failed', problem: problemOf(thrown) })
} finally {
  clearInterval(reporting)
  port.close()
}
