// The simulated node as a program controls it: start, mine, reorganise, stop answering, close.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { VerifyRange } from '../grin/crypto/index.js'
import type { SystemClock, SystemRandom } from '../system/index.js'
import { createBlockSeal } from './block.js'
import { createSimulatedChain, type MineOptions, type ReorgOptions, type SimulatedChain } from './chain.js'
import {
  type Absence,
  type Controls,
  control,
  createValidate,
  createValidateCoinbase,
  type ExtraControl,
  type NodeControlParts,
  type PaidCoinbase,
} from './control.js'
import { bodyTooLarge, controlRefused } from './errors.js'
import { answerForeign, type NodeAnswer, type Validate } from './foreign-methods.js'

// The simulated node on a loopback port: the Foreign API at /v2/foreign, and the controls of the sandbox at /sandbox.

interface ServerParts extends NodeControlParts {
  /** 0 lets the system choose. */
  readonly port: number
  /** When set, requests need HTTP Basic with user `grin` and this as password. */
  readonly apiSecret?: string
}

interface NodeServer {
  readonly url: string
  /** Idempotent. */
  close(): Promise<void>
}

const MOST_BYTES = 4 * 1024 * 1024
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Content-Type, Authorization',
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > MOST_BYTES) throw bodyTooLarge(MOST_BYTES)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, answer: NodeAnswer, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(answer.status, {
    ...headers,
    ...(answer.contentType ? { 'content-type': answer.contentType } : {}),
    'content-length': Buffer.byteLength(answer.body),
  })
  response.end(answer.body)
}

function isAuthorised(request: IncomingMessage, apiSecret: string | undefined): boolean {
  if (apiSecret === undefined) return true
  return request.headers.authorization === `Basic ${Buffer.from(`grin:${apiSecret}`).toString('base64')}`
}

async function foreign(request: IncomingMessage, response: ServerResponse, parts: ServerParts): Promise<void> {
  const absence = parts.absence()
  if (absence === 'reset') request.socket.destroy()
  if (absence !== undefined) return
  if (request.method === 'OPTIONS') return send(response, { status: 200, body: '{}' }, CORS)
  if (!isAuthorised(request, parts.apiSecret))
    return send(response, { status: 401, body: '' }, { 'www-authenticate': 'Basic realm=GrinForeignAPI' })
  const answer = await answerForeign(await readBody(request), parts)
  send(response, answer, CORS)
}

async function handle(request: IncomingMessage, response: ServerResponse, parts: ServerParts): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? ''
  if (path === '/v2/foreign' && request.method !== 'GET') return foreign(request, response, parts)
  if (path === '/sandbox' || path.startsWith('/sandbox/')) {
    const text = request.method === 'GET' ? '' : await readBody(request)
    return send(response, await control({ method: request.method ?? '', path, headers: request.headers, text }, parts))
  }
  send(response, { status: 404, body: '' })
}

/** Listens on 127.0.0.1 only. */
async function startNodeServer(parts: ServerParts): Promise<NodeServer> {
  const server = createServer((request, response) => {
    handle(request, response, parts).catch((error: unknown) => {
      if (bodyTooLarge.is(error)) return send(response, { status: error.status, body: error.message })
      parts.report(error)
      request.socket.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(parts.port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : parts.port
  let closed: Promise<void> | undefined
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      closed ??= new Promise((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}

interface SandboxNodeParts extends NodeOptions {
  readonly verify: VerifyRange
}

export interface NodeParts extends NodeOptions {
  readonly validate: Validate
  /** Sums, signature and proof of a coinbase that claims to be worth `value`. */
  readonly validateCoinbase: (coinbase: PaidCoinbase) => Promise<boolean>
}

interface NodeOptions {
  readonly clock: SystemClock
  readonly random: SystemRandom
  /** Milliseconds between blocks; absent: blocks only on demand. */
  readonly blockEvery?: number
  /** Default 0: the system chooses. */
  readonly port?: number
  readonly maturity?: number
  readonly apiSecret?: string
  readonly report?: (error: unknown) => void
}

export interface SandboxNode extends Controls {
  /** Base URL, without /v2/foreign. */
  readonly url: string
  readonly chain: SimulatedChain
  height(): number
  /** Adds POST /sandbox/<name>. */
  offer(name: string, control: ExtraControl): void
  /** Called after the chain changed; answers how to stop listening. */
  onBlock(listener: (height: number) => void): () => void
  /** Idempotent. */
  close(): Promise<void>
}

async function mineOnTime(node: Controls, clock: SystemClock, every: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(every, signal)
    if (!signal.aborted) node.mine(1)
  }
}

function createControls(parts: NodeParts, chain: SimulatedChain, changed: () => void) {
  let away: Absence | undefined
  const controls: Controls = {
    mine: (blocks: number, options: MineOptions = {}) => {
      for (let mined = 0; mined < blocks; mined++) chain.mine(parts.clock.now(), options)
      changed()
    },
    mineCoinbase: async (coinbase) => {
      if (chain.ledger.output(coinbase.output.commit)) throw controlRefused('this coinbase exists already')
      if (!(await parts.validateCoinbase(coinbase))) throw controlRefused('the coinbase is not valid')
      controls.mine(1, { coinbase })
    },
    reorg: (depth: number, options: ReorgOptions = {}) => {
      chain.reorg(depth, parts.clock.now(), options)
      changed()
    },
    goAway: (absence = 'reset') => {
      away = absence
    },
    comeBack: () => {
      away = undefined
    },
  }
  return { controls, absence: () => away }
}

/** Starts a chain with nothing but block 0 and its node on a loopback port. */
export async function startNode(parts: NodeParts): Promise<SandboxNode> {
  const { clock, random, validate, apiSecret } = parts
  const chain = createSimulatedChain({
    seal: createBlockSeal(() => random.bytes(8)),
    genesisAt: clock.now(),
    ...(parts.maturity === undefined ? {} : { maturity: parts.maturity }),
  })
  const listeners = new Set<(height: number) => void>()
  const height = () => chain.ledger.tip().height
  const { controls, absence } = createControls(parts, chain, () => {
    for (const listener of listeners) listener(height())
  })
  const extras = new Map<string, ExtraControl>()
  const server = await startNodeServer({
    chain,
    extras,
    validate,
    controls,
    absence,
    now: () => clock.now(),
    report: parts.report ?? (() => undefined),
    port: parts.port ?? 0,
    ...(apiSecret === undefined ? {} : { apiSecret }),
  })
  const stop = new AbortController()
  const mining = parts.blockEvery ? mineOnTime(controls, clock, parts.blockEvery, stop.signal) : Promise.resolve()
  return {
    ...controls,
    url: server.url,
    chain,
    height,
    offer: (name, extra) => void extras.set(name, extra),
    onBlock: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      stop.abort()
      await Promise.all([mining, server.close()])
    },
  }
}

/** The node with its real arithmetic: whatever is pushed is checked as a Grin node checks it. */
export const startSandboxNode = ({ verify, ...options }: SandboxNodeParts): Promise<SandboxNode> =>
  startNode({ ...options, validate: createValidate(verify), validateCoinbase: createValidateCoinbase(verify) })
