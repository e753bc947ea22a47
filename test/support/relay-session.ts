// One session of a relay whose connection is a list of messages, for tests.
import { type ClientConnection, createRelay, type Relay, type RelayParts } from '../../src/relay/index.js'
import { relayParts } from './relay-parts.js'

export interface FakeConnection extends ClientConnection {
  /** Bytes that the other side does not read. */
  unread: number
  isPaused: boolean
  /** How it ended, and why. */
  endedBy: string | undefined
  readonly messages: (readonly unknown[])[]
}

function fakeConnection(address = '127.0.0.1'): FakeConnection {
  const messages: (readonly unknown[])[] = []
  const connection: FakeConnection = {
    address,
    unread: 0,
    isPaused: false,
    endedBy: undefined,
    messages,
    write(frames) {
      for (const text of textsOf(frames)) messages.push(JSON.parse(text))
      return connection.unread === 0
    },
    pendingBytes: () => connection.unread,
    pause() {
      connection.isPaused = true
    },
    resume() {
      connection.isPaused = false
    },
    end(code, reason) {
      connection.endedBy ??= `${code} ${reason}`
    },
    drop(reason) {
      connection.endedBy ??= reason
    },
  }
  return connection
}

/** Payloads of whole frames that are not masked. */
function textsOf(frames: Buffer): string[] {
  const texts: string[] = []
  for (let at = 0; at < frames.length; ) {
    const short = frames.readUInt8(at + 1)
    const head = short === 127 ? 10 : short === 126 ? 4 : 2
    const length =
      head === 10 ? Number(frames.readBigUInt64BE(at + 2)) : head === 4 ? frames.readUInt16BE(at + 2) : short
    texts.push(frames.toString('utf8', at + head, at + head + length))
    at += head + length
  }
  return texts
}

/** Lets everything happen that needs nothing from outside. */
export async function quiet(turns = 24): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export interface TestSession {
  readonly connection: FakeConnection
  /** A value becomes JSON; bytes are sent as they are. */
  say(message: unknown): void
  /** What was answered since the last time. */
  answered(): Promise<readonly (readonly unknown[])[]>
  gone(): void
  drained(): void
}

export function sessionOn(relay: Relay, connection = fakeConnection()): TestSession {
  const listener = relay.connect(connection)
  return {
    connection,
    say: (message) => listener.take(Buffer.isBuffer(message) ? message : Buffer.from(JSON.stringify(message)), false),
    async answered() {
      await quiet()
      return connection.messages.splice(0)
    },
    gone: () => listener.disconnected(),
    drained: () => listener.drained(),
  }
}

export function aSession(changes: Partial<RelayParts> = {}) {
  const { parts, store, clock } = relayParts(changes)
  const relay = createRelay(parts)
  return { relay, store, clock, ...sessionOn(relay) }
}
