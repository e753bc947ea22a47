// One websocket connection that costs the client as little as it can: one buffer for all that is read, frames looked at where they lie.
import { connect, type Socket } from 'node:net'
import { frameOf, OPCODES } from './frames.js'

/** Called with the payload of a text message, which is overwritten after the call. */
type OnText = (bytes: Buffer, start: number, end: number) => void

export interface Line {
  send(frame: Buffer): void
  /** Several frames at once. */
  sendAll(frames: readonly Buffer[]): void
  /** What happens with texts from now on. */
  listen(onText: OnText): void
  /** Stops reading; the relay's answers pile up. */
  pause(): void
  readonly isOpen: boolean
  /** Resolves when the connection has ended, whoever ended it. */
  readonly ended: Promise<void>
  close(): void
}

const READ_AT_ONCE = 1 << 20
const SHARED = Buffer.allocUnsafe(READ_AT_ONCE)
const HANDSHAKE = [
  'GET / HTTP/1.1',
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==',
  '',
  '',
].join('\r\n')

/** Connects and shakes hands. Rejects when the relay refuses. */
export function dial(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    let isOpen = false
    let onText: OnText = () => undefined
    let left: Buffer = Buffer.alloc(0)
    let whenEnded: () => void = () => undefined
    const ended = new Promise<void>((done) => {
      whenEnded = done
    })
    const socket: Socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: SHARED,
        callback: (length) => {
          socket.cork() // what the answers of one read set off leaves in one write
          take(SHARED.subarray(0, length))
          socket.uncork()
          return true
        },
      },
    })

    const line: Line = {
      send: (frame) => void socket.write(frame),
      sendAll(frames) {
        socket.cork()
        for (const frame of frames) socket.write(frame)
        socket.uncork()
      },
      listen(next) {
        onText = next
      },
      pause: () => void socket.pause(),
      get isOpen() {
        return isOpen
      },
      ended,
      close: () => void socket.destroy(),
    }

    function take(chunk: Buffer): void {
      const bytes = left.length > 0 ? Buffer.concat([left, chunk]) : chunk
      const used = isOpen ? takeFrames(bytes, 0) : shakeHands(bytes)
      left = used < bytes.length ? Buffer.from(bytes.subarray(used)) : Buffer.alloc(0)
    }

    function shakeHands(bytes: Buffer): number {
      const end = bytes.indexOf('\r\n\r\n')
      if (end === -1) return 0
      const head = bytes.toString('latin1', 0, end)
      if (!head.startsWith('HTTP/1.1 101')) {
        reject(new Error(`the relay refused: ${head.slice(0, 80)}`))
        socket.destroy()
        return bytes.length
      }
      isOpen = true
      resolve(line)
      return takeFrames(bytes, end + 4)
    }

    function takeFrames(bytes: Buffer, from: number): number {
      let at = from
      while (at + 2 <= bytes.length) {
        const short = bytes[at + 1]! & 0x7f
        const head = short < 126 ? 2 : short === 126 ? 4 : 10
        if (at + head > bytes.length) break
        const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6)
        const end = at + head + length
        if (end > bytes.length) break
        takeFrame(bytes[at]!, bytes, at + head, end)
        at = end
      }
      return at
    }

    function takeFrame(first: number, bytes: Buffer, start: number, end: number): void {
      const opcode = first & 0x0f
      if (opcode === OPCODES.text) {
        if ((first & 0x80) === 0) throw new Error('the relay sent a message in pieces')
        onText(bytes, start, end)
      } else if (opcode === OPCODES.ping) socket.write(frameOf(Buffer.from(bytes.subarray(start, end)), OPCODES.pong))
      else if (opcode === OPCODES.close) socket.end()
    }

    socket.on('connect', () => void socket.write(HANDSHAKE))
    socket.on('error', reject)
    socket.on('close', () => {
      isOpen = false
      whenEnded()
      reject(new Error('the relay hung up'))
    })
  })
}

const AT_ONCE = 100

export async function dialMany(port: number, count: number): Promise<Line[]> {
  const lines: Line[] = []
  while (lines.length < count) {
    const more = Math.min(AT_ONCE, count - lines.length)
    lines.push(...(await Promise.all(Array.from({ length: more }, () => dial(port)))))
  }
  return lines
}

export function hangUp(lines: readonly Line[]): void {
  for (const line of lines) line.close()
}
