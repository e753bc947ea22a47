// A small honest relay in memory, for tests: keeps events, answers filters, says EOSE and OK. With `auth` it asks for NIP-42,
// with `gate` it gives gift wraps only to their addressee. It records what it receives.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { isGenuine, type NostrEvent, parseEvent } from '../../src/nostr/event/index.js'

export type RelayFilter = Readonly<Record<string, unknown>> & { readonly limit?: number }

export interface PlainRelayOptions {
  readonly port?: number
  /** `connect`: a challenge for everybody. `demand`: only with refusals. */
  readonly auth?: 'connect' | 'demand'
  /** `closed`: subscriptions for gift wraps of others are ended; `silent`: their wraps are just not sent. */
  readonly gate?: 'closed' | 'silent'
  /** Events are refused until the connection is authenticated. */
  readonly writersAuthenticate?: boolean
  /** Never more events than this per subscription. */
  readonly maxLimit?: number
}

interface Client {
  readonly socket: WebSocket
  readonly subs: Map<string, readonly RelayFilter[]>
  readonly challenge: string
  key: string | undefined
}

export type PlainRelay = Awaited<ReturnType<typeof startPlainRelay>>

/** Listens on 127.0.0.1. */
export async function startPlainRelay(options: PlainRelayOptions = {}) {
  const { auth, gate, maxLimit = 500 } = options
  const server = new WebSocketServer({ host: '127.0.0.1', port: options.port ?? 0, maxPayload: 1 << 20 })
  await once(server, 'listening')
  const events: NostrEvent[] = []
  const clients = new Set<Client>()
  /** Every REQ: id and filters, in order. */
  const requests: { readonly sub: string; readonly filters: readonly RelayFilter[]; readonly bytes: number }[] = []
  const authenticated: string[] = []
  let challenges = 0
  let refusal: string | undefined

  const say = (client: Client, ...message: unknown[]) => client.socket.send(JSON.stringify(message))
  const isOpenTo = (client: Client, event: NostrEvent) =>
    gate === undefined || event.kind !== 1059 || event.tags[0]?.[1] === client.key

  function refusalFor(client: Client, filters: readonly RelayFilter[]): string | undefined {
    if (refusal !== undefined) return refusal
    if (gate !== 'closed') return undefined
    if (client.key === undefined) return 'auth-required: gift wraps are for their addressee'
    const keys = filters.flatMap((filter) => filter['#p'] as string[])
    return keys.every((key) => key === client.key) ? undefined : 'restricted: not your mail'
  }

  function request(client: Client, sub: string, filters: readonly RelayFilter[], bytes: number) {
    requests.push({ sub, filters, bytes })
    const no = refusalFor(client, filters)
    if (no) {
      client.subs.delete(sub)
      if (no.startsWith('auth') && auth === 'demand') say(client, 'AUTH', client.challenge)
      return say(client, 'CLOSED', sub, no)
    }
    client.subs.set(sub, filters)
    const found = filters.flatMap((filter) =>
      newest(
        events.filter((event) => matches(event, filter)),
        filter,
        maxLimit,
      ),
    )
    for (const event of new Set(found)) if (isOpenTo(client, event)) say(client, 'EVENT', sub, event)
    say(client, 'EOSE', sub)
  }

  function publish(client: Client, value: unknown) {
    const event = parseEvent(value)
    if (!event || !isGenuine(event)) return say(client, 'OK', event?.id ?? '?', false, 'invalid: bad event')
    if (options.writersAuthenticate && client.key === undefined) {
      if (auth === 'demand') say(client, 'AUTH', client.challenge)
      return say(client, 'OK', event.id, false, 'auth-required: publish after NIP-42 AUTH')
    }
    if (events.some(({ id }) => id === event.id)) return say(client, 'OK', event.id, true, 'duplicate: have this event')
    say(client, 'OK', event.id, true, '')
    store(event)
  }

  function store(event: NostrEvent): void {
    events.push(event)
    for (const client of clients) {
      if (!isOpenTo(client, event)) continue
      for (const [sub, filters] of client.subs) {
        if (filters.some((filter) => matches(event, filter))) say(client, 'EVENT', sub, event)
      }
    }
  }

  function authenticate(client: Client, value: unknown) {
    const event = parseEvent(value)
    const challenge = event?.tags.find(([name]) => name === 'challenge')?.[1]
    const isGood = event && isGenuine(event) && event.kind === 22_242 && challenge === client.challenge
    if (!isGood) return say(client, 'OK', event?.id ?? '?', false, 'invalid: bad authentication')
    client.key = event.pubkey
    authenticated.push(event.pubkey)
    say(client, 'OK', event.id, true, '')
  }

  function hear(client: Client, text: string): void {
    const [verb, first, ...rest] = JSON.parse(text) as [string, unknown, ...RelayFilter[]]
    if (verb === 'REQ') request(client, String(first), rest, text.length)
    else if (verb === 'CLOSE') client.subs.delete(String(first))
    else if (verb === 'EVENT') publish(client, first)
    else if (verb === 'AUTH') authenticate(client, first)
    else say(client, 'NOTICE', 'unknown command')
  }

  server.on('connection', (socket) => {
    const client: Client = { socket, subs: new Map(), challenge: `challenge-${++challenges}`, key: undefined }
    clients.add(client)
    socket.on('message', (data) => hear(client, String(data)))
    socket.on('close', () => clients.delete(client))
    if (auth === 'connect') say(client, 'AUTH', client.challenge)
  })

  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}`,
    port,
    events,
    requests,
    authenticated,
    /** Puts an event in without checks, and tells who subscribed to it. */
    store,
    connections: () => clients.size,
    /** Subscriptions that stand, over all connections. */
    subscriptions: () => [...clients].flatMap(({ subs }) => [...subs.keys()]),
    /** The keys of all subscriptions that stand. */
    watched: () =>
      new Set(
        [...clients].flatMap(({ subs }) => [...subs.values()].flat().flatMap((filter) => filter['#p'] as string[])),
      ),
    /** From now on every subscription is refused with these words. */
    refuseAll(words: string) {
      refusal = words
    },
    /** Cuts all connections. */
    cut() {
      for (const { socket } of clients) socket.terminate()
    },
    async close() {
      for (const { socket } of clients) socket.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

function newest(events: readonly NostrEvent[], { limit }: RelayFilter, maxLimit: number): NostrEvent[] {
  const sorted = [...events].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1))
  return sorted.slice(0, Math.min(limit ?? maxLimit, maxLimit))
}

function matches(event: NostrEvent, filter: RelayFilter): boolean {
  const has = (name: string, value: unknown) =>
    filter[name] === undefined || (filter[name] as unknown[]).includes(value)
  const { since = 0, until = Infinity } = filter as { since?: number; until?: number }
  return (
    has('ids', event.id) &&
    has('kinds', event.kind) &&
    has('authors', event.pubkey) &&
    event.created_at >= since &&
    event.created_at <= until &&
    (filter['#p'] === undefined || event.tags.some(([name, value]) => name === 'p' && has('#p', value)))
  )
}
