// Tries out what answers name, before anything is written: hosts, ports, other daemons. A failed look is a warning: the world may be up later.
import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import { connect } from 'node:tls'
import { type HttpResponse, httpTransport, type Transport } from '../client/index.js'
import { messageOf } from '../lib/errors.js'
import { membersOf, parseJson } from '../lib/parse-json.js'
import { foreignText } from '../lib/plain-text.js'
import { isPrivateHost, isTorHost } from '../lib/private-host.js'
import type { Secret } from '../lib/secret.js'
import { parseUrl } from '../lib/url.js'
import { openRelayClient } from '../nostr/relays/index.js'
import { createOpenWebSocket, systemClock } from '../system/index.js'
import { type Answers, type Question, type Questions, rowsOf } from './question.js'

/** How long one look may take, in milliseconds. */
const LOOK_MS = 5_000
/** The same for nodes and relays of a till. */
const TIMEOUT_MS = 8_000

/** One thing that was looked at. */
export interface Look {
  readonly ok: boolean
  readonly text: string
}

export interface LookParts {
  readonly answers: Answers
  /** Where the present daemon listens, which is no obstacle. */
  readonly ownBind: string | undefined
  /** Of the till, when it is known. */
  readonly token?: Secret | undefined
  readonly transport?: Transport
}

type LookAt = (text: string, parts: LookParts) => Promise<readonly Look[]>

/** By the name in the row of the question. */
const LOOKS: Readonly<Record<NonNullable<Question['look']>, LookAt>> = {
  domain: async (domain) => [await resolves('domain', domain)],
  host: async (url) => {
    const { hostname } = new URL(url)
    return isPrivateHost(hostname) || isTorHost(hostname) ? [] : [await resolves('host', hostname)]
  },
  relay: publicLooks,
  port: async (bind, { ownBind }) => (bind === ownBind ? [] : isFree(bind)),
  till: tillAnswers,
  nodes: (urls, { transport = httpTransport(LOOK_MS) }) =>
    Promise.all(listed(urls, /[,\s]+/).map((url) => nodeAnswers(url, { transport, wording: shorter }))),
  // The till's setting leaves the path out.
  nodesOfTill: (urls) => Promise.all(listed(urls).map((name) => nodeAnswers(`${name}/v2/foreign`, { name }))),
  relays: (urls) => Promise.all(listed(urls).map(relayAnswers)),
  authority: authorityAnswers,
}

/** Tries out every answer that names something, all at the same time. Never throws. */
export async function lookAround(questions: Questions, parts: LookParts): Promise<readonly Look[]> {
  const looks = rowsOf(questions).map(([key, { look }]) => {
    const text = parts.answers[key]
    return look && text !== undefined ? LOOKS[look](text, parts) : []
  })
  return (await Promise.all(looks)).flat()
}

const listed = (text: string, separator: string | RegExp = ','): readonly string[] =>
  text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Whether name servers know the host; `what` it is, for people. */
async function resolves(what: string, host: string): Promise<Look> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${LOOK_MS / 1000} s`)), LOOK_MS).unref()
  })
  try {
    const { address } = await Promise.race([lookup(host), late])
    return { ok: true, text: `${what} ${host}: ${address}` }
  } catch (error) {
    return { ok: false, text: `${what} ${host} has no address yet (${codeOf(error)})` }
  }
}

/** Takes the port for a moment; says nothing when that went well. */
function isFree(bind: string): Promise<readonly Look[]> {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(bind) ?? []
  const server = createServer()
  return new Promise((done) => {
    server.once('error', (error) => done([{ ok: false, text: `cannot listen on ${bind} now (${codeOf(error)})` }]))
    server.listen({ host, port: Number(port) }, () => server.close(() => done([])))
  })
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? foreignText(error.code) : messageOf(error)

/** Of a relay: its name, and behind wss its certificate. Empty without a public address. */
async function publicLooks(urls: string): Promise<readonly Look[]> {
  const [first = ''] = urls.split(',')
  const url = parseUrl(first)
  if (!url) return []
  const known = await resolves('host', url.hostname)
  return known.ok && first.startsWith('wss:') ? [known, await secured(url)] : [known]
}

/** Before the proxy runs no server answers there, which is what the text says. */
function secured({ hostname, port }: URL): Promise<Look> {
  const at = `${hostname}:${port || 443}`
  return new Promise((done) => {
    const servername = /^[\d.[]/.test(hostname) ? '' : hostname
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443), servername })
    const end = (ok: boolean, text: string) => {
      socket.destroy()
      done({ ok, text })
    }
    socket.setTimeout(LOOK_MS, () =>
      end(false, `nothing answers with TLS at ${at} yet (no answer within ${LOOK_MS / 1000} s)`),
    )
    socket.once('error', (error) =>
      end(false, `nothing answers with a good certificate at ${at} yet (${codeOf(error)})`),
    )
    socket.once('secureConnect', () => end(true, `${at} has a certificate that is good`))
  })
}

/** The address was said already. */
const shorter = (text: string): string => text.replace(/ from the (?:till|node) at \S+/, '')

/** An invoice that does not exist tells both: whether invoices are made there, and whether the token is good. */
async function tillAnswers(
  url: string,
  { token, transport = httpTransport(LOOK_MS) }: LookParts,
): Promise<readonly Look[]> {
  const isSafe = url.startsWith('https:') || isPrivateHost(new URL(url).hostname)
  const headers = token && isSafe ? { authorization: `Bearer ${token.reveal()}` } : undefined
  try {
    const { status } = await transport({
      method: 'GET',
      url: `${url}/invoice/setup-check`,
      who: 'the till',
      ...(headers && { headers }),
    })
    if (headers && (status === 401 || status === 403))
      return [{ ok: false, text: `till ${url} refuses this API token` }]
    const isTill = [400, 401, 403, 404].includes(status)
    const verdict = headers ? 'answers, and takes the API token' : 'answers'
    return [{ ok: isTill, text: `till ${url} ${isTill ? verdict : `answers ${status}`}` }]
  } catch (error) {
    return [{ ok: false, text: `till ${url}: ${shorter(messageOf(error))}` }]
  }
}

/** Its health, and a document as Nostr clients ask for it (NIP-05). */
async function authorityAnswers(
  url: string,
  { transport = httpTransport(LOOK_MS) }: LookParts,
): Promise<readonly Look[]> {
  const get = (path: string) => transport({ method: 'GET', url: `${url}${path}`, who: 'the name authority' })
  try {
    const health = await get('/api/v1/health')
    if (health.text !== 'ok')
      return [{ ok: false, text: `${url} answers ${health.status}, but not as a name authority does` }]
    const document = await get('/.well-known/nostr.json?name=_')
    const { names } = membersOf(parseJson(document.text))
    const isGood = document.status === 200 && typeof names === 'object' && names !== null
    const what = isGood ? 'answers, and serves names' : `serves no names: ${document.status}`
    return [{ ok: isGood, text: `name authority ${url} ${what}` }]
  } catch (error) {
    return [{ ok: false, text: `name authority ${url}: ${shorter(messageOf(error))}` }]
  }
}

const TIP = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'get_tip', params: [] })

interface NodeLook {
  /** As it is called for people. */
  readonly name?: string
  readonly transport?: Transport
  /** The failure, for people. */
  readonly wording?: (failure: string) => string
}

/** Asks a node for its tip; `url` is that of its foreign API. Never throws. */
export async function nodeAnswers(
  url: string,
  { name = url, transport = httpTransport(TIMEOUT_MS), wording = String }: NodeLook = {},
): Promise<Look> {
  try {
    const headers = { 'content-type': 'application/json' }
    const answer = await transport({ method: 'POST', url, headers, body: TIP, who: 'the node' })
    const height = heightIn(answer)
    const verdict = height === undefined ? `answers ${answer.status}, but not as a node` : `at height ${height}`
    return { ok: height !== undefined, text: `node ${name}: ${verdict}` }
  } catch (error) {
    return { ok: false, text: `node ${name}: ${wording(messageOf(error))}` }
  }
}

function heightIn({ text }: HttpResponse): number | undefined {
  try {
    const height: unknown = JSON.parse(text)?.result?.Ok?.height
    return typeof height === 'number' ? height : undefined
  } catch {
    return undefined // not JSON: not a node
  }
}

/** Greets a relay. Whether it carries payments is for `grinpay doctor`. Never throws. */
export async function relayAnswers(url: string): Promise<Look> {
  try {
    const socketParts = { openSocket: createOpenWebSocket(), clock: systemClock, timeoutMs: TIMEOUT_MS }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const client = await openRelayClient({ url, signal, ...socketParts })
    client.close('it answers')
    return { ok: true, text: `relay ${url}: answers` }
  } catch (error) {
    return { ok: false, text: `relay ${url}: ${messageOf(error)}` }
  }
}
