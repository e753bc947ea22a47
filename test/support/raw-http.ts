// HTTP as an attacker writes it: bytes on a socket. Nothing is tidied up on the way, unlike with fetch or node:http.
import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  /** Lower-case names; of a name that comes twice the last. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Everything that came, further answers on the same connection included. */
  readonly all: string
  readonly ms: number
}

export interface RawOptions {
  /** Pieces after the first, each sent this many milliseconds after the one before. */
  readonly later?: readonly (string | Buffer)[]
  readonly pauseMs?: number
  /** How long the other side may take; beyond it the test fails. */
  readonly patienceMs?: number
}

/** Sends bytes, reads until the other side closes (or the first answer is complete), and answers the first answer. */
export function sendRaw(port: number, bytes: string | Buffer, options: RawOptions = {}): Promise<RawAnswer> {
  const { later = [], pauseMs = 50, patienceMs = 30_000 } = options
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const end = (work: () => void) => {
      clearTimeout(patience)
      for (const timer of timers) clearTimeout(timer)
      socket.destroy()
      work()
    }
    const patience = setTimeout(
      () => end(() => reject(new Error(`no answer in ${patienceMs} ms: ${text}`))),
      patienceMs,
    )
    const timers = later.map((piece, at) => setTimeout(() => socket.write(piece), pauseMs * (at + 1)))
    const answer = () => answerOf(text, performance.now() - startedAt)
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    // An answer may be followed by a reset: we were still sending what the other side no longer reads.
    socket.on('error', (error) => end(() => (text === '' ? reject(error) : resolve(answer()))))
    socket.on('close', () =>
      end(() => (text === '' ? reject(new Error('closed without an answer')) : resolve(answer()))),
    )
  })
}

function answerOf(text: string, ms: number): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const after = rest.join('\r\n\r\n')
  const length = headers['content-length']
  const body = length === undefined ? after : after.slice(0, Number(length))
  return {
    status: Number(first.split(' ')[1]),
    headers,
    body: Buffer.from(body, 'latin1').toString('utf8'),
    all: text,
    ms,
  }
}

export interface RawRequest {
  readonly method?: string
  readonly path?: string
  /** Whole lines, in this order; `Host` and `Connection: close` are added unless they are there. */
  readonly headers?: readonly string[]
  readonly body?: string | Buffer
  /** Adds Content-Length of the body; on by default. */
  readonly length?: boolean
}

/** The bytes of a request; nothing in them is checked. */
export function rawRequest({ method = 'GET', path = '/', headers = [], body, length = true }: RawRequest): Buffer {
  const has = (name: string) => headers.some((line) => line.toLowerCase().startsWith(`${name}:`))
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(has('host') ? [] : ['Host: till.example']),
    ...headers,
    ...(has('connection') ? [] : ['Connection: close']),
    ...(body !== undefined && length ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body ?? '')])
}

/** The JSON member `code` of an answer, or undefined for a page. */
export function codeIn({ body }: RawAnswer): unknown {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && 'code' in value ? value.code : undefined
  } catch {
    return undefined
  }
}
