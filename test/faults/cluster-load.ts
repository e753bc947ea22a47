// Clients of a whole cluster that may lose any process at any moment: what was acknowledged to them is written down.
import { setTimeout as sleep } from 'node:timers/promises'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { systemRandom } from '../../src/system/index.js'
import { signedClaim } from '../support/name-process.js'
import { keyPairOf } from '../support/nostr.js'
import { type CountingClient, countingClient, type RelayFrontEnd } from '../support/relay-front-ends.js'
import { API_TOKEN, type Daemons, type Front, NAMES_URL } from './cluster-stage.js'
import { emptyLedger, keepBusy, type Ledger } from './till-load.js'

const PATIENCE_MS = 12_000
const REST_MS = 20
/** No two of them look alike. */
const LETTERS = 'bcdfghjkmpqrtwxz'
/** Of each kind of client. */
const CLIENTS = 2
/** Each third name is wanted by two keys, on two front ends. */
const CONTESTED = 3
const [NOTE, DELETION, PROFILE] = [1, 5, 0]

/** What is noted of one connection of a subscriber. */
interface Listening {
  /** Events that were acknowledged before may have been sent as stored ones, or not. */
  readonly since: number
  /** Times each event came. */
  readonly client: CountingClient
}

export interface ClusterLedger {
  readonly till: Ledger
  /** Name to the keys that were told it is theirs. */
  readonly names: Map<string, Set<string>>
  /** Id to the acknowledged event, and when that was. */
  readonly events: Map<string, { readonly event: NostrEvent; readonly at: number }>
  /** Ids whose deletion was asked for, acknowledged or not. */
  readonly deleted: Set<string>
  /** Of each relay the last connection that listens. */
  readonly listening: Map<RelayFrontEnd, Listening>
  /** What came twice on one connection. */
  readonly doubled: string[]
}

/** Longest time between two acknowledgements, in milliseconds. */
export interface Silences {
  readonly invoices: number
  readonly claims: number
  readonly events: number
}

export interface ClusterLoad {
  readonly ledger: ClusterLedger
  /** Since the last call. */
  silences(): Silences
  stop(): Promise<void>
}

function createGap() {
  let [last, longest] = [performance.now(), 0]
  return {
    end() {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    },
    take() {
      const most = Math.max(longest, performance.now() - last)
      longest = 0
      return Math.round(most)
    },
  }
}

const pick = <T>(among: readonly T[], at: number): T => among[at % among.length] as T

export function startLoad({
  tills,
  names,
  relays,
  payer,
}: Pick<Daemons, 'tills' | 'names' | 'relays' | 'payer'>): ClusterLoad {
  const stop = new AbortController()
  const gaps = { invoices: createGap(), claims: createGap(), events: createGap() }
  const ledger: ClusterLedger = {
    till: emptyLedger(),
    names: new Map(),
    events: new Map(),
    deleted: new Set(),
    listening: new Map(),
    doubled: [],
  }
  const context = { ledger, gaps, stop: stop.signal }
  const shop = {
    apiToken: API_TOKEN,
    payer,
    ledger: ledger.till,
    stop: stop.signal,
    /** Asked for each order; the key of a repeated one goes to whichever till is drawn. */
    get url() {
      return pick(tills, Math.floor(Math.random() * tills.length)).url
    },
  }
  const clients = Array.from({ length: CLIENTS }, (_, at) => at)
  const running = [
    keepBusy(shop),
    watchInvoices(context),
    ...(names.length > 0 ? clients.map((at) => keepClaiming(names, at, context)) : []),
    ...clients.map((at) => keepPublishing(relays, at, context)),
    ...relays.map((relay) => keepListening(relay, context)),
  ]
  return {
    ledger,
    silences: () => ({ invoices: gaps.invoices.take(), claims: gaps.claims.take(), events: gaps.events.take() }),
    async stop() {
      stop.abort()
      await Promise.all(running)
    },
  }
}

interface Context {
  readonly ledger: ClusterLedger
  readonly gaps: Readonly<Record<keyof Silences, ReturnType<typeof createGap>>>
  readonly stop: AbortSignal
}

async function watchInvoices({ ledger, gaps, stop }: Context): Promise<void> {
  for (let known = 0; !stop.aborted; await sleep(5)) {
    if (ledger.till.invoices.size > known) gaps.invoices.end()
    known = ledger.till.invoices.size
  }
}

const nameOf = (number: number): string =>
  `b${Array.from({ length: 6 }, (_, at) => LETTERS[(number >> (4 * at)) & 15]).join('')}`

async function keepClaiming(fronts: readonly Front[], client: number, { ledger, gaps, stop }: Context): Promise<void> {
  for (let made = 0; !stop.aborted; made++, await sleep(REST_MS)) {
    const number = made * CLIENTS + client
    const wanted = number % CONTESTED === 0 ? 2 : 1
    const claims = Array.from({ length: wanted }, (_, rival) =>
      claimUntilKnown(pick(fronts, client + made + rival), `${nameOf(number)}`, `holder ${number} ${rival}`, stop),
    )
    for (const pubkey of await Promise.all(claims)) {
      if (pubkey === undefined) continue
      const holders = ledger.names.get(nameOf(number)) ?? new Set()
      ledger.names.set(nameOf(number), holders.add(pubkey))
      gaps.claims.end()
    }
  }
}

/** The key, when the name is its own. */
async function claimUntilKnown(
  front: Front,
  name: string,
  person: string,
  stop: AbortSignal,
): Promise<string | undefined> {
  const who = keyPairOf(person)
  while (!stop.aborted) {
    const { body, authorization } = signedClaim(NAMES_URL, who, name)
    const answer = await fetch(`${front.url}/api/v1/register`, {
      method: 'POST',
      headers: { authorization },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (answer?.status === 200 || answer?.status === 201) return who.pubkey
    if (answer?.status === 409) return undefined
    // Two signatures of one second are the same authorization.
    await sleep(1005 - (Date.now() % 1000))
  }
  return undefined
}

async function keepPublishing(
  relays: readonly RelayFrontEnd[],
  author: number,
  { ledger, gaps, stop }: Context,
): Promise<void> {
  const who = keyPairOf(`author ${author}`)
  const notes: string[] = []
  // Each is newer than those before, so none is refused.
  const begun = Math.floor(Date.now() / 1000) - 100_000
  const sign = (kind: number, made: number, tags: string[][] = []) =>
    signEvent({ kind, tags, content: `${author} ${made}`, created_at: begun + made }, who.secret, systemRandom)
  for (let made = 0; !stop.aborted; made++, await sleep(REST_MS)) {
    const old = made % 10 === 9 ? notes[made - 9] : undefined
    if (old !== undefined) ledger.deleted.add(old)
    const kind = old === undefined ? (made % 5 === 3 ? PROFILE : NOTE) : DELETION
    const event = sign(kind, made, old === undefined ? [] : [['e', old]])
    for (let tries = 0; !stop.aborted; tries++) {
      const outcome = await publishOnce(pick(relays, author + made + tries), event)
      if (outcome) {
        ledger.events.set(event.id, { event, at: performance.now() })
        gaps.events.end()
        break
      }
      await sleep(100)
    }
    notes.push(kind === NOTE ? event.id : '')
  }
}

/** True when the relay said that it has it. */
async function publishOnce(relay: RelayFrontEnd, event: NostrEvent): Promise<boolean> {
  const client = await countingClient(relay).catch(() => undefined)
  const answer = await client?.publish(event).catch(() => undefined)
  client?.close()
  return answer?.[0] === true
}

async function keepListening(relay: RelayFrontEnd, { ledger, stop }: Context): Promise<void> {
  while (!stop.aborted) {
    const client = await countingClient(relay).catch(() => undefined)
    if (!client) {
      await sleep(100)
      continue
    }
    client.subscribe('notes', { kinds: [NOTE], limit: 1 })
    // From here on every note must come.
    await sleep(500)
    ledger.listening.set(relay, { since: performance.now(), client })
    while (client.isOpen() && !stop.aborted) await sleep(50)
    // What was published last is on its way.
    if (stop.aborted) await sleep(2000)
    client.close()
    for (const [key, times] of client.counts) if (times > 1) ledger.doubled.push(`${key} came ${times} times`)
    if (!stop.aborted) ledger.listening.delete(relay)
  }
}
