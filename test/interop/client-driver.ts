// Clients that were not written here, driven from a test: rust-nostr and go-nostr as programs that answer line by line (`answer` in their folders).
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Filter, NostrEvent } from 'nostr-tools'
import { type ForeignClient, programOf } from './foreign-clients.js'

/** Every call but `heard` is a connection of its own. */
export interface ClientDriver {
  /** Why the relay refused, empty when it did not. With a secret key, the client authenticates when it is asked to. */
  publish(event: NostrEvent, as?: string): Promise<string>
  /** Stored events, as the client read them. */
  query(filter: Filter, as?: string): Promise<readonly NostrEvent[]>
  count(filter: Filter): Promise<number>
  /** Subscribes; resolves after the stored events. */
  listen(filter: Filter): Promise<void>
  /** The next `most` events of that subscription. */
  heard(most: number): Promise<readonly NostrEvent[]>
  /** Reconciles (NIP-77) both ways; returns what the client has then. */
  sync(filter: Filter, local: readonly NostrEvent[]): Promise<readonly NostrEvent[]>
  close(): Promise<void>
}

interface Reply {
  readonly error?: string
  readonly reason?: string
  readonly count?: number
  readonly events?: readonly NostrEvent[]
}

export function drive(client: ForeignClient, relay: string): ClientDriver {
  const child = spawn(programOf(client), [relay, 'answer'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))

  async function ask(question: Readonly<Record<string, unknown>>): Promise<Reply> {
    child.stdin.write(`${JSON.stringify(question)}\n`)
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`${client} ended`)
    const reply = JSON.parse(value) as Reply
    if (reply.error !== undefined) throw new Error(reply.error)
    return reply
  }

  return {
    publish: async (given, as) => (await ask({ do: 'publish', given, as })).reason ?? '',
    query: async (given, as) => (await ask({ do: 'query', given, as })).events ?? [],
    count: async (given) => (await ask({ do: 'count', given })).count ?? Number.NaN,
    listen: async (given) => void (await ask({ do: 'listen', given })),
    heard: async (given) => (await ask({ do: 'heard', given })).events ?? [],
    sync: async (given, local) => (await ask({ do: 'sync', given, local })).events ?? [],
    close() {
      child.stdin.end()
      return ended
    },
  }
}
