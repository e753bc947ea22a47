// A load that keeps its pace: requests are due at even distances, whatever became of those before. Load generators that send a second's
// worth at its beginning measure the queue they made.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Server } from './load.js'

export interface Pace {
  readonly server: Server
  /** As they go over the wire, in turns. */
  readonly requests: readonly Buffer[]
  readonly connections: number
  readonly seconds: number
  /** Requests per second. */
  readonly rate: number
}

/** Milliseconds from when a request was due until its answer was there, for 99 of 100. Throws when an answer is not a 200. */
export async function p99AtPace(pace: Pace): Promise<number> {
  const { hostname, port } = new URL(pace.server.url)
  const lines = Array.from({ length: pace.connections }, () => createLine(connect(Number(port), hostname).setNoDelay()))
  await Promise.all(lines.map(({ socket }) => once(socket, 'connect')))
  try {
    await sendInTime(pace, lines)
    const taken = lines.flatMap(({ taken }) => taken).sort((a, b) => a - b)
    return taken[Math.floor(taken.length * 0.99)] ?? Number.NaN
  } finally {
    for (const { socket } of lines) socket.destroy()
  }
}

async function sendInTime({ requests, seconds, rate }: Pace, lines: readonly Line[]): Promise<void> {
  const total = Math.floor(rate * seconds)
  const begun = performance.now()
  const dueAt = (index: number): number => begun + (index / rate) * 1000
  for (let sent = 0; sent < total; await new Promise(setImmediate)) {
    for (const now = performance.now(); sent < total && dueAt(sent) <= now; sent++)
      lines[sent % lines.length]?.send(requests[sent % requests.length] ?? Buffer.alloc(0), dueAt(sent))
  }
  await Promise.all(lines.map(({ drained }) => drained()))
}

type Line = ReturnType<typeof createLine>

/** One connection; answers come in the order of the requests. */
function createLine(socket: Socket) {
  const due: number[] = []
  const taken: number[] = []
  let text = ''
  let failure: Error | undefined
  let ended = (): void => undefined

  function fail(error: Error): void {
    failure = error
    ended()
  }

  function read(chunk: string): void {
    text += chunk
    for (let end = endOfAnswer(text); end !== undefined; end = endOfAnswer(text)) {
      if (!text.startsWith('HTTP/1.1 200')) fail(new Error(text.slice(0, end)))
      text = text.slice(end)
      taken.push(performance.now() - (due.shift() ?? 0))
    }
    if (due.length === 0) ended()
  }

  socket.setEncoding('latin1').on('data', read).on('error', fail)
  socket.on('close', () => fail(new Error('the server hung up')))
  return {
    socket,
    taken,
    send(request: Buffer, dueAt: number): void {
      due.push(dueAt)
      socket.write(request)
    },
    /** Resolves when every request is answered; rejects when one was not, or not well. */
    async drained(): Promise<void> {
      if (due.length > 0 && !failure) await new Promise<void>((resolve) => (ended = resolve))
      if (failure) throw failure
    },
  }
}

/** Where the first answer of the text ends; undefined while it is not whole. */
function endOfAnswer(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n')
  if (head === -1) return undefined
  const end = head + 4 + Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1])
  return text.length >= end ? end : undefined
}
