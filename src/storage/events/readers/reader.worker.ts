// Thread entry: answers the dear questions of a relay's queries on a read-only connection of its own. Each statement is its own read transaction,
// bounded in rows, so it never holds back checkpoints for long.
import { parentPort, workerData } from 'node:worker_threads'
import { foreignText } from '../../../lib/plain-text.js'
import { openSqlite } from '../../sqlite/sqlite.js'
import { createDisk, type Disk } from '../query/disk.js'
import type { FromReader, PlaceQuestion, ReaderQuestion, SentPage, TextQuestion, ToReader } from './questions.js'

const port = parentPort
if (!port) throw new Error('a worker entry runs in a worker thread only')
const db = openSqlite(foreignText(workerData), 'events-reader')
const disk: Disk = createDisk(db)

function textsFor({ range, now }: TextQuestion): SentPage {
  const page = disk.texts(range, now)
  return { ...page, bytes: page.bytes && new Uint8Array(page.bytes) }
}

const placesFor = ({ range, cut }: PlaceQuestion): Float64Array<ArrayBuffer> =>
  Float64Array.from(disk.locate(range, cut))

function answer(question: ReaderQuestion): void {
  if (question.kind === 'texts') {
    const page = textsFor(question)
    post({ kind: 'texts', page }, page.bytes ? [page.bytes.buffer] : [])
  } else {
    const numbers = placesFor(question)
    post({ kind: 'places', numbers }, [numbers.buffer])
  }
}

function post(message: FromReader, memory: ArrayBuffer[] = []): void {
  port?.postMessage(message, memory)
}

function answerOrFail(question: ReaderQuestion): void {
  try {
    answer(question)
  } catch {
    post({ kind: 'failed' })
    // The library leaves a refused statement unfinished, and later answers would be of its snapshot: a fresh thread takes over.
    end()
  }
}

/** Unread questions are lost; the main thread gives them to another thread. */
function end(): void {
  db.close()
  port?.close()
}

port.on('message', (message: ToReader) => {
  if (message.kind === 'ask') answerOrFail(message.question)
  else end()
})
post({ kind: 'ready' })
