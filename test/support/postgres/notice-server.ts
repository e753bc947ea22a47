// Speaks as much of PostgreSQL's protocol (chapter 55) as one session needs, and answers every statement with one notice.
import { type AddressInfo, createServer } from 'node:net'

/** Fields of a notice by their letters: S severity, C code, M message, R routine. */
export type NoticeFields = Readonly<Record<string, string>>

export interface NoticeServer {
  readonly port: number
  close(): void
}

export async function startNoticeServer(fields: NoticeFields): Promise<NoticeServer> {
  const server = createServer((socket) => {
    let hasStarted = false
    socket.on('error', () => undefined)
    // Each message of the client arrives in one piece: they are short, and it waits for the answer.
    socket.on('data', (bytes) => {
      if (!hasStarted) socket.write(Buffer.concat([message('R', int32(0)), READY]))
      else if (bytes.toString('latin1', 0, 1) === 'Q')
        socket.write(Buffer.concat([message('N', fieldsOf(fields)), message('C', text('COMMIT')), READY]))
      hasStarted = true
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`)

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const message = (type: string, body: Buffer): Buffer => Buffer.concat([Buffer.from(type), int32(body.length + 4), body])

const fieldsOf = (fields: NoticeFields): Buffer =>
  Buffer.concat([...Object.entries(fields).map(([letter, value]) => text(letter + value)), Buffer.from([0])])

const READY = message('Z', Buffer.from('I'))
