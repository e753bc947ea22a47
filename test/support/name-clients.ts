// A name authority as an operator runs it: the command in a process of its own, asked over HTTP by clients that sign.
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { type keyPairOf, seededRandom } from './nostr.js'
import { freePort, startDaemon, type TillProcess } from './till-process.js'

export const DOMAIN = 'names.acme.example'
export const BASE = `https://${DOMAIN}`
export const REGISTER = '/api/v1/register'
export type KeyPair = ReturnType<typeof keyPairOf>

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
  /** The parsed body; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests look at
  readonly json: any
}

export interface Ask {
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
  /** The client behind the proxy; everybody is a new one by default. */
  readonly from?: string
}

export interface Signed extends Ask {
  /** What the event says instead of the truth. */
  readonly u?: string
  readonly says?: string
  /** Seconds that the signer's clock is ahead. */
  readonly ahead?: number
  readonly tags?: readonly (readonly string[])[]
  /** What is hashed instead of the body. */
  readonly hashed?: Buffer
}

let clients = 0
let nonces = 0
const random = seededRandom('name process')
/** No client asks twice from one address, so no limit is met by accident. */
const freshAddress = (): string => {
  clients += 1
  return `2001:db8:${(clients >> 16).toString(16)}:${(clients & 0xffff).toString(16)}::1`
}

/** A header for a request; every one is a new event. */
export function authorizationOf(who: KeyPair, method: string, path: string, signed: Signed = {}): string {
  const { body, u, says, ahead = 0, tags = [], hashed } = signed
  const payload = hashed ?? (body === undefined ? undefined : Buffer.from(body))
  return httpAuthHeader({
    url: u ?? BASE + path,
    method: says ?? method,
    secret: who.secret,
    now: Date.now() + ahead * 1000,
    random,
    extraTags: [['nonce', String(nonces++)], ...tags],
    ...(payload && { body: payload }),
  })
}

/** Clients of an authority on this port of this machine. */
export function clientsOf(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })

  const ask = (method: string, path: string, { headers, body, from = freshAddress() }: Ask = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          agent,
          headers: {
            'x-real-ip': from,
            ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }), // also where bodies are unusual
            ...headers,
          },
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8')
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text, json: parsed(text) })
          })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })

  const signed = (who: KeyPair, method: string, path: string, how: Signed = {}): Promise<Answer> =>
    ask(method, path, {
      ...how,
      headers: { authorization: authorizationOf(who, method, path, how), ...how.headers },
    })

  return {
    ask,
    get: (path: string, headers?: OutgoingHttpHeaders) => ask('GET', path, headers && { headers }),
    signed,
    claim: (who: KeyPair, name: unknown, how: Signed = {}) =>
      signed(who, 'POST', REGISTER, { body: JSON.stringify({ name, pubkey: who.pubkey }), ...how }),
    release: (who: KeyPair, name: string, how: Signed = {}) => signed(who, 'DELETE', `${REGISTER}/${name}`, how),
    hangUp: () => agent.destroy(),
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface RunningAuthority extends TillProcess, ReturnType<typeof clientsOf> {
  readonly port: number
}

/** No limit, unless a test is about limits. */
const NO_LIMITS = { NAMEAUTH_READ_RATE_MAX: '1000000', NAMEAUTH_WRITE_RATE_MAX: '1000000' }

/** Starts `serve nameauth` of this entry with its database in `folder`, and waits until it answers. */
export async function startAuthority(
  entry: string,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningAuthority> {
  const port = await freePort()
  const bind = `127.0.0.1:${port}`
  const own = { NAMEAUTH_DOMAIN: DOMAIN, NAMEAUTH_NAMES_BIND: bind, NAMEAUTH_DATA_DIR: folder, ...NO_LIMITS }
  const command = ['serve', 'nameauth']
  const daemon = await startDaemon({ entry, command, settings: { ...own, ...settings }, bind, cwd: folder })
  const clients = clientsOf(port)
  const hangingUp = <T>(end: () => Promise<T>) => {
    clients.hangUp()
    return end()
  }
  return { ...clients, ...daemon, port, stop: () => hangingUp(daemon.stop), kill: () => hangingUp(daemon.kill) }
}

/** A folder that is gone after the test. */
export function nameFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'grinpay-names-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
