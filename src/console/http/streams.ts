// Server-sent events: one answer that stays open while its session lives.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ConsoleStream, StreamEvent } from '../area.js'
import { tooManyStreams } from '../errors.js'
import { type ConsoleContext, pageRequest } from './context.js'
import { guard, signedInOf } from './guard.js'

const BEAT_MS = 15_000
const PER_SESSION = 20

/** Open streams by session. Closing the app ends all of them. */
export function createStreams(app: FastifyInstance, context: ConsoleContext) {
  const open = new Map<string, Set<AbortController>>()
  let ended = false
  app.addHook('preClose', async () => {
    ended = true
    for (const streams of open.values()) for (const over of streams) over.abort()
  })

  /** Throws CONSOLE_STREAMS. */
  function enter(session: string): AbortController {
    const streams = open.get(session) ?? new Set()
    if (streams.size >= PER_SESSION) throw tooManyStreams()
    const over = new AbortController()
    if (ended) over.abort()
    open.set(session, streams.add(over))
    return over
  }

  function leave(session: string, over: AbortController): void {
    over.abort()
    const streams = open.get(session)
    streams?.delete(over)
    if (streams?.size === 0) open.delete(session)
  }

  return function mountStream({ path, least, events }: ConsoleStream): void {
    // A HEAD would hold a stream that sends nothing.
    app.get(path, { onRequest: guard(context, least), exposeHeadRoute: false }, async (request, reply) => {
      const signedIn = signedInOf(request, context)
      const asked = pageRequest(request, reply, context, signedIn)
      const over = enter(signedIn.session.id)
      reply.raw.once('close', () => over.abort())
      beginStream(reply)
      const beat = keepAlive(reply, context, signedIn.cookie, over)
      try {
        await sendEvents(reply, events({ ...asked, signal: over.signal }), {
          isLive: () => context.signIn.isLive(signedIn.cookie),
          signal: over.signal,
        })
      } catch (thrown) {
        app.faults.warn({ err: thrown, route: path }, 'a stream of the console ended')
      } finally {
        clearInterval(beat)
        leave(signedIn.session.id, over)
        finish(reply.raw)
      }
    })
  }
}

function beginStream(reply: FastifyReply): void {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  reply.raw.write('retry: 3000\n\n')
}

interface Life {
  isLive(): Promise<boolean>
  readonly signal: AbortSignal
}

/** Nothing is sent to a session that has ended meanwhile. */
async function sendEvents({ raw }: FastifyReply, events: AsyncIterable<StreamEvent>, life: Life): Promise<void> {
  for await (const event of events) {
    if (!(await life.isLive())) return
    if (!raw.write(printEvent(event))) await drained(raw, life.signal)
  }
}

/** What a client does not read is not waited for. */
function finish(answer: FastifyReply['raw']): void {
  if (answer.writableNeedDrain) answer.destroy()
  else answer.end()
}

/** A comment shows a proxy that the stream lives; a session that has ended ends it, also where nothing happens. */
function keepAlive(reply: FastifyReply, { signIn }: ConsoleContext, cookie: string, over: AbortController) {
  return setInterval(() => {
    signIn.isLive(cookie).then(
      (live) => (live ? reply.raw.write(':\n\n') : over.abort()),
      () => over.abort(),
    )
  }, BEAT_MS)
}

/** A client that does not read stops its own stream. */
const drained = (answer: FastifyReply['raw'], signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    answer.once('drain', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')

const printEvent = ({ event, data }: StreamEvent): string => `event: ${oneLine(event)}\ndata: ${oneLine(data)}\n\n`
