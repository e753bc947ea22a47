// nostr-tools (SimplePool) behind the same functions as the clients that are programs.
import { type EventTemplate, type Filter, type NostrEvent, nip77 } from 'nostr-tools'
import { SimplePool, useWebSocketImplementation } from 'nostr-tools/pool'
import { finalizeEvent } from 'nostr-tools/pure'
import { vi } from 'vitest'
import WebSocket from 'ws'
import { fromHex } from '../../src/lib/bytes.js'
import type { ClientDriver } from './client-driver.js'

useWebSocketImplementation(WebSocket)

const PATIENCE_MS = 10_000

/** Without what the library writes into an event for itself. */
const plain = (events: readonly NostrEvent[]): readonly NostrEvent[] =>
  JSON.parse(JSON.stringify(events)) as readonly NostrEvent[]

/** Answers a challenge when the relay asks for that. */
const signing = (as: string | undefined) =>
  as === undefined ? undefined : { onauth: async (template: EventTemplate) => finalizeEvent(template, fromHex(as)) }

export function driveNostrTools(url: string): ClientDriver {
  const live: NostrEvent[] = []
  const pools: SimplePool[] = []

  function dial(): SimplePool {
    const pool = new SimplePool()
    pools.push(pool)
    return pool
  }

  const publish = (event: NostrEvent, as?: string): Promise<string> =>
    Promise.all(dial().publish([url], event, signing(as))).then(
      () => '',
      (error: Error) => error.message,
    )

  async function query(filter: Filter, as?: string): Promise<readonly NostrEvent[]> {
    const events: NostrEvent[] = []
    await new Promise<void>((resolve) => {
      const onevent = (event: NostrEvent) => events.push(event)
      dial().subscribeManyEose([url], filter, { onevent, onclose: () => resolve(), ...signing(as) })
    })
    return plain(events)
  }

  /** Which ids the relay lacks, and which the client. */
  async function reconcile(filter: Filter, local: readonly NostrEvent[]) {
    const relay = await dial().ensureRelay(url)
    const storage = new nip77.NegentropyStorageVector()
    for (const { created_at, id } of local) storage.insert(created_at, id)
    storage.seal()
    const [have, need] = [new Set<string>(), new Set<string>()]
    await new Promise<void>((resolve, reject) => {
      const sync = new nip77.NegentropySync(relay, storage, filter, {
        onhave: (id) => have.add(id),
        onneed: (id) => need.add(id),
        onclose: (reason) => (reason === undefined ? resolve() : reject(new Error(reason))),
      })
      sync.start().catch(reject)
    })
    return { have, need }
  }

  return {
    publish,
    query,
    count: async (filter) => (await dial().ensureRelay(url)).count([filter], {}),
    listen: (filter) =>
      new Promise<void>((oneose) => {
        dial().subscribeMany([url], filter, { onevent: (event) => live.push(event), oneose })
      }),
    async heard(most) {
      await vi.waitUntil(() => live.length >= most, PATIENCE_MS)
      return plain(live.splice(0, most))
    },
    async sync(filter, local) {
      const { have, need } = await reconcile(filter, local)
      for (const event of local) if (have.has(event.id)) await publish(event)
      return [...local, ...(await query({ ids: [...need] }))]
    },
    async close() {
      for (const pool of pools) pool.destroy()
    },
  }
}
