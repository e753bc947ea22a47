// Speaks as much of PostgreSQL's protocol (chapter 55) as one session needs, and answers every statement with one notice.
import { type AddressInfo, createServer } from 'node:net'

/** Fields of a notice or an error by their letters: S severity, C code, M message, R routine. */
export type NoticeFields = Readonly<Record<string, string>>

export interface NoticeServer {
  readonly port: number
  /** Connections that were taken. */
  count(): number
  close(): void
}

interface Manner {
  /** Begins no session, as a pooler does with settings that it does not know. */
  readonly refusal?: NoticeFields
  /** The process that the session is said to have; behind a pooler another one answers. */
  readonly announced?: number
}

/** The process that answers. */
const PROCESS = 4711

export async function startNoticeServer(
  fields: NoticeFields,
  { refusal, announced = PROCESS }: Manner = {},
): Promise<NoticeServer> {
  let connections = 0
  const server = createServer((socket) => {
    let hasStarted = false
    connections += 1
    socket.on('error', () => undefined)
    // Each message of the client arrives in one piece: they are short, and it waits for the answer.
    socket.on('data', (bytes) => {
      if (!hasStarted && refusal) socket.end(message('E', fieldsOf(refusal)))
      else if (!hasStarted) socket.write(Buffer.concat([message('R', int32(0)), keyOf(announced), READY]))
      else if (bytes.toString('latin1', 5).startsWith('SELECT pg_backend_pid()')) socket.write(READ_BACK)
      else if (bytes.toString('latin1', 0, 1) === 'Q')
        socket.write(Buffer.concat([message('N', fieldsOf(fields)), message('C', text('COMMIT')), READY]))
      hasStarted = true
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    count: () => connections,
    close: () => void server.close(),
  }
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

const keyOf = (process: number): Buffer => message('K', Buffer.concat([int32(process), int32(1)]))

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

const [TEXT_OID, ANY_SIZE] = [25, -1]
const column = (name: string): Buffer =>
  Buffer.concat([text(name), int32(0), int16(0), int32(TEXT_OID), int16(ANY_SIZE), int32(ANY_SIZE), int16(0)])

/** The process, and no setting that differs: those that a server does not name it does not know. */
const READ_BACK = Buffer.concat([
  message('T', Buffer.concat([int16(2), column('name'), column('value')])),
  message('D', Buffer.concat([int16(2), int32(String(PROCESS).length), Buffer.from(String(PROCESS)), int32(-1)])),
  message('C', text('SELECT 1')),
  READY,
])
