// Imports a file into the running relay, in a thread of its own: over the relay's address, as a client, as `relay import` does.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { messageOf } from '../../../../lib/errors.js'
import { isGenuine } from '../../../../nostr/event/index.js'
import {
  type ImportCounts,
  importLines,
  openPublisher,
  type Publisher,
  type Verifier,
} from '../../../../relay/index.js'
import { createOpenWebSocket, systemClock } from '../../../../system/index.js'
import { moveRelayFailed, moveUnreadable } from '../../../errors.js'
import type { ImportTask, MoveContext } from './messages.js'

/** A named pipe is not waited for. */
const EXISTING_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const CHUNK_BYTES = 65_536
/** Escapes and unknown members make a line longer than its event. */
const LINE_FACTOR = 4
/** Of the connection, and of each answer. */
const TIMEOUT_MS = 30_000
/** Answers under way are waited for this long when the import is stopped. */
const GRACE_MS = 3000
/** Events in flight: far fewer than the command has, because clients of the relay wait for the write of a batch. */
const BATCH = 50
/** After a batch the import rests as long as the batch took, so that half of the relay's time is left to clients; at most so long. */
const LONGEST_REST_MS = 1000

/** This thread has nothing else to do. */
const verifier: Verifier = { submit: (event, done) => queueMicrotask(() => done(isGenuine(event))) }

/** Throws CONSOLE_MOVE_UNREADABLE, CONSOLE_MOVE_RELAY. What was stored before stays. */
export async function importFrom({ path, url, maxMessageBytes }: ImportTask, context: MoveContext): Promise<void> {
  const file = await openRegular(path)
  try {
    const { size } = await file.stat()
    const publisher = await connect(url, maxMessageBytes)
    try {
      context.begun({ totalEvents: null, totalBytes: size })
      await publish({ path, file, size, publisher, longestLine: LINE_FACTOR * maxMessageBytes }, context)
    } finally {
      publisher.close()
    }
  } finally {
    await file.close()
  }
}

async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, EXISTING_FILE).catch((thrown: unknown) => {
    throw moveUnreadable(path, messageOf(thrown))
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw moveUnreadable(path, 'it is not a regular file any more')
}

const connect = (url: string, maxMessageBytes: number): Promise<Publisher> =>
  openPublisher({
    ...{ url, maxMessageBytes, verifier },
    openSocket: createOpenWebSocket(),
    clock: systemClock,
    timeoutMs: TIMEOUT_MS,
  }).catch((thrown: unknown) => {
    throw moveRelayFailed(messageOf(thrown))
  })

interface Publishing {
  readonly path: string
  readonly file: FileHandle
  readonly size: number
  readonly publisher: Publisher
  readonly longestLine: number
}

async function publish({ path, file, size, publisher, longestLine }: Publishing, { signal, progress }: MoveContext) {
  let bytes = 0
  let counts: ImportCounts | undefined
  const tell = () => progress({ events: counts?.lines ?? 0, bytes, counts })

  async function* chunks(): AsyncGenerator<Uint8Array> {
    // A file that grows meanwhile is read as far as it was.
    const stream = file.createReadStream({ highWaterMark: CHUNK_BYTES, end: size - 1, autoClose: false })
    try {
      for await (const chunk of stream) {
        bytes += chunk.length
        tell()
        yield chunk
      }
    } catch (thrown) {
      throw moveUnreadable(path, messageOf(thrown))
    }
  }

  const hangUp = () => setTimeout(publisher.close, GRACE_MS).unref()
  signal.addEventListener('abort', hangUp, { once: true })
  let before: Promise<unknown> = Promise.resolve()
  async function takeAfter(earlier: Promise<unknown>, values: readonly unknown[]) {
    await earlier
    const begin = systemClock.monotonic()
    const answers = await publisher.take(values).catch((thrown: unknown) => {
      throw moveRelayFailed(messageOf(thrown))
    })
    await systemClock.sleep(Math.min(systemClock.monotonic() - begin, LONGEST_REST_MS), signal)
    return answers
  }
  function take(values: readonly unknown[]) {
    const answering = takeAfter(before, values)
    before = answering
    return answering
  }
  const onProgress = (sofar: ImportCounts) => {
    counts = sofar
    tell()
  }
  counts = await importLines({ chunks: chunks(), longestLine, take, onProgress, signal, batchSize: BATCH })
  tell()
}
