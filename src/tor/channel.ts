// Commands and replies over one stream: in order, each with a deadline. Any protocol violation ends the connection.
import { connect } from 'node:net'
import { type GrinpayError, messageOf } from '../lib/errors.js'
import { transportCause } from '../lib/http-request.js'
import type { Clock } from '../lib/ports.js'
import { hostPort } from '../lib/url.js'
import { torDisconnected, torNonsense, torRefused, torSilent, torUnreachable } from './errors.js'
import { createReplyReader, type Reply } from './replies.js'

// A byte stream to tor's control port, as a port that tests replace.
/** The address of tor's control port. */
export type ControlEndpoint = { readonly host: string; readonly port: number } | { readonly path: string }

/** Formats an endpoint as PAY_TOR_CONTROL does. */
export const formatEndpoint = (endpoint: ControlEndpoint): string =>
  'path' in endpoint ? `unix:${endpoint.path}` : hostPort(endpoint.host, endpoint.port)

interface Stream {
  /** Never throws; a failure ends the stream. */
  write(text: string): void
  /** Idempotent; no listener is called afterwards. */
  close(): void
}

interface StreamListeners {
  data(bytes: Uint8Array): void
  /** Called at most once. */
  end(why: string): void
}

/** Resolves when connected; rejects with a reason as text. The signal aborts the attempt, not the stream. */
export type OpenStream = (endpoint: ControlEndpoint, listeners: StreamListeners, signal: AbortSignal) => Promise<Stream>

/** Over TCP or a unix socket of this machine. */
export const openSocketStream: OpenStream = (endpoint, listeners, signal) =>
  new Promise((resolve, reject) => {
    const socket = connect(endpoint)
    let connected = false
    let over = false

    const finish = (why: string): void => {
      if (over) return
      over = true
      signal.removeEventListener('abort', giveUp)
      socket.destroy()
      if (connected) listeners.end(why)
      else reject(new Error(why))
    }
    const giveUp = (): void => finish('the attempt was given up')

    socket.on('connect', () => {
      connected = true
      signal.removeEventListener('abort', giveUp)
      resolve({
        write: (text) => void socket.write(text),
        close() {
          over = true
          socket.destroy()
        },
      })
    })
    socket.on('data', (bytes) => {
      if (!over) listeners.data(bytes)
    })
    socket.on('error', (thrown) => finish(causeOf(thrown)))
    socket.on('close', () => finish('it was closed'))
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })

const OF_SOCKET_FILES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket',
  EACCES: 'the socket may not be used by this user; put it into the group of tor (debian-tor)',
}

const causeOf = (thrown: NodeJS.ErrnoException): string => OF_SOCKET_FILES[thrown.code ?? ''] ?? transportCause(thrown)

/** tor replies at once or never. */
export const ANSWER_LIMIT_MS = 10_000

export interface Channel {
  /**
   * Sends `verb rest`. Errors quote only the verb: the rest may contain a key. Resolves with replies of status 250 … 259. Rejects with
   * TOR_REFUSED for others, and with TOR_SILENT or TOR_DISCONNECTED.
   */
  ask(verb: string, rest?: string): Promise<Reply>
  /** Sets the listener of events, one line each. */
  listen(listener: (line: string) => void): void
  /** Aborts at the end of the connection; its reason is the error. */
  readonly over: AbortSignal
  /** Idempotent. */
  close(): void
}

interface Waiting {
  readonly verb: string
  answer(reply: Reply): void
  fail(why: GrinpayError): void
}

export interface ChannelParts {
  readonly endpoint: ControlEndpoint
  readonly openStream: OpenStream
  readonly clock: Pick<Clock, 'sleep'>
}

/** Connects. Rejects with TOR_UNREACHABLE; the signal aborts the attempt. */
export async function openChannel(
  { endpoint, openStream, clock }: ChannelParts,
  signal: AbortSignal,
): Promise<Channel> {
  const where = formatEndpoint(endpoint)
  const reader = createReplyReader()
  const ended = new AbortController()
  const waiting: Waiting[] = []
  let listener: (line: string) => void = () => undefined
  let stream: Stream | undefined

  function end(why: GrinpayError): void {
    if (ended.signal.aborted) return
    stream?.close()
    ended.abort(why)
    for (const { fail } of waiting.splice(0)) fail(why)
  }

  function take(reply: Reply): void {
    const first = reply.status < 600 ? waiting.shift() : undefined
    if (first) first.answer(reply)
    else if (reply.status < 600) end(torNonsense(where, 'an answer to nothing'))
    else listener(reply.lines.map(({ text }) => text).join(' '))
  }

  function read(bytes: Uint8Array): void {
    try {
      for (const reply of reader.push(bytes)) if (!ended.signal.aborted) take(reply)
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown
      end(torNonsense(where, messageOf(thrown)))
    }
  }

  async function ask(verb: string, rest = ''): Promise<Reply> {
    if (/[\r\n]/.test(rest)) throw new Error(`a line break in the arguments of ${verb}`)
    if (ended.signal.aborted) throw ended.signal.reason
    const answered = new AbortController()
    const reply = new Promise<Reply>((answer, fail) => waiting.push({ verb, answer, fail }))
    stream?.write(`${verb}${rest === '' ? '' : ` ${rest}`}\r\n`)
    const late = clock.sleep(ANSWER_LIMIT_MS, answered.signal).then(() => {
      // Replies come in order: after a missing one, later replies match no command.
      if (!answered.signal.aborted) end(torSilent(where, verb, ANSWER_LIMIT_MS / 1000))
      return reply
    })
    const { status, lines } = await Promise.race([reply, late]).finally(() => answered.abort())
    if (status >= 250 && status < 260) return { status, lines }
    throw torRefused(verb, status, quotable(lines[0]?.text ?? ''))
  }

  stream = await connectInTime({ endpoint, openStream, clock }, signal, {
    data: read,
    end: (why) => end(torDisconnected(where, why)),
  })
  return {
    ask,
    listen: (next) => {
      listener = next
    },
    over: ended.signal,
    close: () => end(torDisconnected(where, 'we closed it')),
  }
}

/** tor's texts may quote the command: removes anything as long as a key. */
const quotable = (text: string): string =>
  text
    .replace(/[A-Za-z0-9+/=]{20,}/g, '…')
    .replace(/[^\x20-\x7e…]/g, ' ')
    .slice(0, 200)

async function connectInTime(
  { endpoint, openStream, clock }: ChannelParts,
  signal: AbortSignal,
  listeners: Parameters<OpenStream>[1],
): Promise<Stream> {
  const where = formatEndpoint(endpoint)
  const done = new AbortController()
  const tooLate = new AbortController()
  const giveUp = () => tooLate.abort()
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  const limit = clock.sleep(ANSWER_LIMIT_MS, done.signal).then(() => {
    if (!done.signal.aborted) giveUp()
  })
  try {
    return await openStream(endpoint, listeners, tooLate.signal)
  } catch (thrown) {
    throw torUnreachable(where, messageOf(thrown))
  } finally {
    done.abort()
    signal.removeEventListener('abort', giveUp)
    await limit
  }
}
