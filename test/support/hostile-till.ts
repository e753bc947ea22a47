// The whole till as `serve pay` composes it, on a real socket, with a real database and a simulated Grin node, and with
// what is needed to show that nothing changed: a fingerprint of everything it keeps, and every line it logged.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { PayDaemon } from '../../src/daemons/pay.js'
import { createSandboxPayer, type SandboxNode, type SandboxPayer, startSandboxNode } from '../../src/sandbox/index.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { openLog, systemClock, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { type RawAnswer, type RawOptions, type RawRequest, rawRequest, sendRaw } from './raw-http.js'
import { openSandboxTill, sandboxTill } from './sandbox-till.js'
import { freePort } from './till-process.js'

/** Loops stand still after their first pass, so that whatever changes was changed by the input. */
const NEVER_SECONDS = 86_400

export interface OpenInvoice {
  readonly id: string
  readonly token: string
  readonly payUrl: string
  readonly amount: bigint
}

export interface HostileTill {
  readonly port: number
  readonly daemon: PayDaemon
  readonly node: SandboxNode
  readonly payer: SandboxPayer
  /** The till's own address, to encrypt to. */
  readonly address: string
  readonly api: string
  readonly admin: string
  invoice(amount?: bigint, body?: object): Promise<OpenInvoice>
  send(request: RawRequest, options?: RawOptions): Promise<RawAnswer>
  sendBytes(bytes: string | Buffer, options?: RawOptions): Promise<RawAnswer>
  /** Pastes on an invoice's page and asks for JSON. */
  paste(token: string, slatepack: string): Promise<RawAnswer>
  json(path: string, body: string | Buffer, headers?: readonly string[]): Promise<RawAnswer>
  /** Of every table, the key counter and every file; equal while nothing changed. */
  fingerprint(): string
  nextKeyIndex(): number
  /** Names of the files it keeps, with their permissions in octal. */
  files(): readonly (readonly [name: string, mode: string])[]
  /** How many rows a table has. */
  count(table: 'invoice' | 'payment' | 'event' | 'idempotency'): number
  /** Everything logged until now; `forget` begins anew. */
  readonly log: { text(): string; forget(): void }
  /** Throws when a line holds a secret of this till, or one of these texts. */
  expectCleanLog(...others: readonly string[]): void
  close(): Promise<void>
}

/** A receiver that takes every event. */
async function startShop() {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.end())
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    }),
  )
  return { url: `http://127.0.0.1:${port}/hook`, close: () => server.close() }
}

export async function openHostileTill(variables: Readonly<Record<string, string>> = {}): Promise<HostileTill> {
  const workers = createRangeWorkers()
  const node = await startSandboxNode({ verify: workers.verify, clock: systemClock, random: systemRandom })
  node.mine(5) // so that a height can be too late
  const shop = await startShop()
  const port = await freePort()
  const addresses = { port, nodeUrl: node.url, webhookUrl: shop.url }
  const { home, config } = await sandboxTill(undefined, addresses, variables)
  const lines: string[] = []
  const log = await openLog({ level: 'debug', human: false, write: (line) => void lines.push(line) })
  const daemon = await openSandboxTill(config, {
    version: '0.0.0-test',
    log,
    workers,
    confirmEverySeconds: NEVER_SECONDS,
  })
  await daemon.start()
  await daemon.till.status() // the node's height is known from here on
  const database = openSqlite(config.dbPath, 'reading')
  const payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
  const [api, admin] = [home.secrets.apiToken.reveal(), home.secrets.adminToken.reveal()]

  const sendBytes = (bytes: string | Buffer, options?: RawOptions) => sendRaw(port, bytes, options)
  const send = (request: RawRequest, options?: RawOptions) => sendBytes(rawRequest(request), options)
  const json = (path: string, body: string | Buffer, headers = [`Authorization: Bearer ${api}`]) =>
    send({ method: 'POST', path, headers: ['Content-Type: application/json', ...headers], body })

  async function invoice(amount = 1_000_000_000n, body: object = {}): Promise<OpenInvoice> {
    const answer = await json('/invoice', JSON.stringify({ amount_grin: Number(amount), ...body }))
    const { invoice_id: id, token, pay_url: payUrl } = JSON.parse(answer.body)
    return { id, token, payUrl, amount }
  }

  const words = (): readonly string[] => [
    ...Object.values(home.secrets).map((secret) => secret.reveal()),
    ...database.all('SELECT token FROM invoice').map(([token]) => String(token)),
    ...readFiles(home.directory).flatMap(({ name, bytes }) => (name.endsWith('.json') ? secretsIn(bytes) : [])),
  ]

  return {
    port,
    daemon,
    node,
    payer,
    address: daemon.till.identity.address,
    api,
    admin,
    invoice,
    send,
    sendBytes,
    json,
    paste: (token, slatepack) =>
      send({
        method: 'POST',
        path: `/pay/${token}/slatepack`,
        headers: ['Content-Type: application/x-www-form-urlencoded', 'Accept: application/json'],
        body: new URLSearchParams({ slatepack }).toString(),
      }),
    fingerprint: () => `${fingerprintOf(database)} ${fingerprintOfFiles(home.directory)}`,
    files: () => readFiles(home.directory).map(({ name, mode }) => [name, (mode & 0o777).toString(8)]),
    nextKeyIndex: () => Number(database.get('SELECT next_key_index FROM wallet')?.[0]),
    count: (table) => Number(database.get(`SELECT count(*) FROM ${table}`)?.[0]),
    log: { text: () => lines.join(''), forget: () => void lines.splice(0) },
    expectCleanLog(...others) {
      const text = lines.join('')
      for (const word of [...words(), ...others, 'BEGINSLATEPACK']) {
        const at = text.indexOf(word)
        expect(at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 40)).toBe('')
      }
    },
    async close() {
      database.close()
      await daemon.stop()
      await node.close()
      await workers.close()
      shop.close()
      await home.leave()
    },
  }
}

function fingerprintOf(database: ReturnType<typeof openSqlite>): string {
  const hash = createHash('sha256')
  const tables = database.all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").map(String)
  for (const table of tables) {
    const columns = table === 'meta' ? 'id, chain, fingerprint, created_at' : '*'
    for (const row of database.all(`SELECT ${columns} FROM "${table}" ORDER BY 1`))
      hash.update(`${table}|${rowText(row)}\n`)
  }
  return `${tables.length} ${hash.digest('hex')}`
}

const rowText = (row: readonly unknown[]): string =>
  row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value))).join('|')

const readFiles = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((name) => statSync(join(directory, name)).isFile())
    .map((name) => ({
      name,
      mode: statSync(join(directory, name)).mode,
      bytes: readFileSync(join(directory, name)),
    }))

/** Names and modes of all, contents of those that are not the database itself. The reserve for a full disk appears ten seconds after the start. */
function fingerprintOfFiles(directory: string): string {
  const hash = createHash('sha256')
  const files = readFiles(directory).filter(({ name }) => name !== 'pay.db.reserve')
  for (const { name, mode, bytes } of files)
    hash.update(`${name}|${mode}|${/^pay\.db/.test(name) ? '' : bytes.toString('hex')}\n`)
  return hash.digest('hex')
}

/** Long texts of a document: sealed seeds, keys, tokens. */
const secretsIn = (bytes: Buffer): readonly string[] =>
  [...bytes.toString('utf8').matchAll(/"([^"\s]{40,})"/g)].map(([, text = '']) => text)
