// A websocket as an attacker has it: the handshake is done, and from then on any bytes go out.
import { connect, type Socket } from 'node:net'

export interface RawWebsocket {
  readonly socket: Socket
  write(...bytes: readonly Buffer[]): void
  /** The next text that comes. */
  text(): Promise<string>
  /** The code of the closing frame, or 0 when the line was cut without one. */
  readonly ended: Promise<number>
  destroy(): void
}

export interface FrameParts {
  /** 1 text, 2 binary, 0 continuation, 8 close, 9 ping, 10 pong. */
  readonly opcode?: number
  readonly isLast?: boolean
  /** Reserved bits: 4, 2, 1. */
  readonly reserved?: number
  readonly isMasked?: boolean
  /** What the header says instead of the truth. */
  readonly length?: bigint
}

/** A frame of a client, right by default. Masked with zeros, which is allowed. */
export function frame(payload: Buffer | string, parts: FrameParts = {}): Buffer {
  const { opcode = 1, isLast = true, reserved = 0, isMasked = true } = parts
  const body = Buffer.from(payload)
  const length = parts.length ?? BigInt(body.length)
  const mask = isMasked ? 0x80 : 0
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode
  let head: Buffer
  if (length < 126n) head = Buffer.of(first, mask | Number(length))
  else if (length < 65_536n) head = Buffer.of(first, mask | 126, Number(length >> 8n), Number(length & 255n))
  else {
    head = Buffer.alloc(10)
    head.writeUInt8(first, 0)
    head.writeUInt8(mask | 127, 1)
    head.writeBigUInt64BE(length, 2)
  }
  return Buffer.concat([head, ...(isMasked ? [Buffer.alloc(4)] : []), body])
}

const KEY = 'AAAAAAAAAAAAAAAAAAAAAA=='

export async function rawWebsocket(port: number, headers: readonly string[] = []): Promise<RawWebsocket> {
  const socket = connect(port, '127.0.0.1')
  const texts: string[] = []
  const waiting: ((text: string) => void)[] = []
  let unread = Buffer.alloc(0)
  let code = 0
  let open: (() => void) | undefined
  const ended = new Promise<number>((resolve) => socket.on('close', () => resolve(code)))
  socket.on('error', () => {})

  function took(opcode: number, payload: Buffer): void {
    if (opcode === 8) {
      code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005
      socket.end()
    }
    if (opcode !== 1) return
    const next = waiting.shift()
    if (next) next(payload.toString())
    else texts.push(payload.toString())
  }

  /** Takes whole frames off; those of a server are not masked. */
  function read(): void {
    for (;;) {
      if (unread.length < 2) return
      const short = unread.readUInt8(1) & 127
      const start = short === 127 ? 10 : short === 126 ? 4 : 2
      if (unread.length < start) return
      const length = short === 127 ? Number(unread.readBigUInt64BE(2)) : short === 126 ? unread.readUInt16BE(2) : short
      if (unread.length < start + length) return
      const [opcode, payload] = [unread.readUInt8(0) & 15, unread.subarray(start, start + length)]
      unread = unread.subarray(start + length)
      took(opcode, payload)
    }
  }

  socket.on('data', (chunk) => {
    unread = Buffer.concat([unread, chunk])
    if (open) {
      const end = unread.indexOf('\r\n\r\n')
      if (end < 0) return
      unread = unread.subarray(end + 4)
      open()
      open = undefined
    }
    read()
  })
  const lines = ['GET / HTTP/1.1', 'Host: relay.example', 'Connection: Upgrade', 'Upgrade: websocket']
  const more = ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${KEY}`, ...headers]
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  socket.write(`${[...lines, ...more].join('\r\n')}\r\n\r\n`)
  await Promise.race([opened, ended.then(() => Promise.reject(new Error('refused')))])

  return {
    socket,
    write: (...bytes) => void socket.write(Buffer.concat(bytes)),
    text() {
      const text = texts.shift()
      return text === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(text)
    },
    ended,
    destroy: () => socket.destroy(),
  }
}
