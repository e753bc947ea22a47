// A proxy in front of a daemon, right or wrong on purpose, on real sockets of this machine.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Faults {
  /** What becomes of the address of a client: set as it should be, never forwarded, or believed as claimed. */
  readonly address?: 'set' | 'dropped' | 'claimed'
  /** Headers of answers that get lost. */
  readonly loses?: readonly string[]
  /** Answers this instead of everything. */
  readonly answers?: {
    readonly status: number
    readonly body: string
    readonly headers?: Readonly<Record<string, string>>
  }
  readonly noUpgrade?: boolean
  /** Paths that it answers with 404 itself. */
  readonly hides?: RegExp
  /** Closes all websockets when this is aborted. */
  readonly closes?: AbortSignal
  /** Most bytes of a client's websocket, and of a request's body. */
  readonly mostBytes?: number
}

/** Listens on 127.0.0.1 until the test is over. */
export async function frontProxy(port: number, to: number, faults: Faults = {}): Promise<void> {
  const { loses = [], answers, mostBytes = Number.POSITIVE_INFINITY } = faults
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    if (answers) return void outgoing.writeHead(answers.status, answers.headers).end(answers.body)
    if (faults.hides?.test(incoming.url ?? '')) return void outgoing.writeHead(404).end()
    if (Number(incoming.headers['content-length'] ?? 0) > mostBytes) return void outgoing.writeHead(413).end()
    const { method, url: path } = incoming
    const onward = request(
      { host: '127.0.0.1', port: to, method, path, headers: headersFor(incoming, faults) },
      (answer) => {
        const kept = Object.entries(answer.headers).filter(([name]) => !loses.includes(name))
        outgoing.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept))
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(onward)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
  })
  server.on('upgrade', (incoming, socket, head) => {
    if (faults.noUpgrade || answers) return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    const onward = connect(to, '127.0.0.1')
    sockets.add(onward)
    onward.write(`GET ${incoming.url} HTTP/1.1\r\n${linesOf(headersFor(incoming, faults))}\r\n`)
    onward.write(head)
    let bytes = 0
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > mostBytes) socket.destroy()
    })
    faults.closes?.addEventListener('abort', () => socket.destroy())
    onward.pipe(socket).pipe(onward)
    for (const end of [onward, socket]) {
      end.on('error', () => end.destroy())
      end.on('close', () => {
        onward.destroy()
        socket.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
}

function headersFor({ headers, socket }: IncomingMessage, { address = 'set' }: Faults): IncomingHttpHeaders {
  if (address === 'claimed') return headers
  const { 'x-real-ip': _claimed, 'x-forwarded-for': _chain, ...others } = headers
  return address === 'set'
    ? { ...others, 'x-real-ip': socket.remoteAddress, 'x-forwarded-for': socket.remoteAddress }
    : others
}

const linesOf = (headers: IncomingHttpHeaders): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
