// The stage of the sandbox, piece by piece in the order in which they need each other, and what is played on it.
import { join } from 'node:path'
import { PRIVATE_CHAIN_RULES } from '../../../chain/index.js'
import { createInvoicingClient, createWebhookReceiver, type InvoicingClient, wholeId } from '../../../client/index.js'
import { loadNameauthConfig, loadPayConfig, openEnvironment } from '../../../config/index.js'
import {
  type Customers,
  createCustomers,
  createEventFeed,
  createNameScript,
  createPasteCustomer,
  createPrinter,
  createSandboxPayer,
  type EventFeed,
  forwardTo,
  introduce,
  invoiceElsewhere,
  invoiceIdAt,
  invoiceIdOf,
  type NameAddresses,
  nodePortFlag,
  offerInvoice,
  openHome,
  type Print,
  payRailOf,
  payUrlElsewhere,
  runScript,
  type SandboxHome,
  type SandboxNode,
  type SandboxPayer,
  type ScriptResult,
  sandboxNamesFile,
  sandboxNameVariables,
  sandboxVariables,
  startSandboxNode,
} from '../../../sandbox/index.js'
import {
  commandName,
  consoleFile,
  openLog,
  replaceFile,
  type SystemLog,
  systemClock,
  systemRandom,
} from '../../../system/index.js'
import type { RangeWorkers } from '../../../workers/index.js'
import { makeSignInLink } from '../../console-admin.js'
import { openNameDaemon } from '../../nameauth.js'
import { openPayDaemon } from '../../pay.js'
import {
  USUAL_CONSOLE_PORT,
  USUAL_FOREIGN_PORT,
  USUAL_NAMES_PORT,
  USUAL_NODE_PORT,
  USUAL_PORT,
} from '../../sandbox-ports.js'
import { portFor } from '../ports.js'
import type { Undo } from '../undo.js'
import { openSandboxRelay, webhookAt } from './relay.js'

export interface SandboxOptions {
  readonly version: string
  /** Requested ports, 0 for a free one; absent: the default one, or a free one when it is taken. */
  readonly port?: number | undefined
  readonly nodePort?: number | undefined
  readonly blockEveryMs: number
  /** Kept after the run; absent: a folder that is thrown away. */
  readonly dataDir?: string | undefined
  /** Where verified events go on to: the developer's own shop. */
  readonly forwardTo?: string | undefined
  /** False: nothing is paid unasked. */
  readonly story: boolean
  readonly write: (text: string) => void
  /** How long the process has run, so that the reported time begins with the enter key. */
  readonly uptimeSeconds?: number
}

export interface Stage {
  readonly home: SandboxHome
  readonly node: SandboxNode
  readonly payer: SandboxPayer
  readonly customers: Customers
  readonly relayUrl: string
  readonly api: InvoicingClient
  readonly events: EventFeed
  readonly print: Print
  readonly url: string
  readonly namesUrl: string
  readonly salesUrl: string
  /** Makes a link that signs in to the till's console, good for so long. */
  readonly signInLink: (goodForMs?: number) => Promise<string>
}

const COINS = 2

async function openNode(options: SandboxOptions, workers: RangeWorkers, undo: Undo): Promise<SandboxNode> {
  const node = await startSandboxNode({
    verify: workers.verify,
    clock: systemClock,
    random: systemRandom,
    blockEvery: options.blockEveryMs,
    port: await portFor(options.nodePort, USUAL_NODE_PORT),
  })
  undo.add(() => node.close())
  return node
}

async function openShop(options: SandboxOptions, home: SandboxHome, print: Print, undo: Undo) {
  const events = createEventFeed(({ type, eventId }) =>
    print(`     event     ${type}, both signatures verified (${eventId})`),
  )
  const targets = options.forwardTo === undefined ? [] : [options.forwardTo]
  const receiver = await createWebhookReceiver({
    port: 0,
    secret: home.secrets.webhookSecret,
    now: () => systemClock.now(),
    onEvent: async (event) => {
      for (const target of targets) await forwardTo(target, event)
      events.take(event)
    },
    onRefusal: (reason) => print(`     event     REFUSED: ${reason}`),
  })
  undo.add(() => receiver.close())
  return { events, webhookUrl: receiver.url, forwardEventsTo: (url: string) => void targets.push(url) }
}

interface TillSurroundings {
  readonly home: SandboxHome
  readonly port: number
  readonly workers: RangeWorkers
  readonly nodeUrl: string
  readonly webhookUrl: string
  readonly relayUrl: string
  readonly foreignPort: number
  readonly consolePort: number
  /** For the console. */
  readonly namesFile: string
  readonly log: SystemLog
}

const CONSOLE_USER = { name: 'developer', role: 'operator' } as const

const linkMaker = ({ directory }: SandboxHome, consolePort: number): Stage['signInLink'] => {
  const place = { path: consoleFile(join(directory, 'pay.db')), url: `http://localhost:${consolePort}` }
  return async (goodForMs) =>
    (await makeSignInLink(place, { ...CONSOLE_USER, ...(goodForMs === undefined ? {} : { goodForMs }) })).url
}

/** Answers the till's address. */
async function openTill(options: SandboxOptions, around: TillSurroundings, undo: Undo): Promise<string> {
  const { home, workers, log } = around
  const variables = sandboxVariables(home, around)
  const config = loadPayConfig(openEnvironment({ variables }), { allowSandbox: true })
  const { version } = options
  const daemon = await openPayDaemon(config, { version, log, workers })
  undo.add(() => daemon.stop())
  await daemon.start()
  return config.publicUrl
}

/** Everything is up and the payer has its coins when this resolves; `undo` knows how to take it down again. */
export async function setUp(options: SandboxOptions, workers: RangeWorkers, undo: Undo): Promise<Stage> {
  const print = createPrinter(options.write)
  const home = await openHome(options.dataDir, systemRandom)
  undo.add(() => home.leave())
  const node = await openNode(options, workers, undo)
  const payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
  const funding = payer.fund(COINS)
  funding.catch(() => undefined) // awaited below
  const { events, webhookUrl, forwardEventsTo } = await openShop(options, home, print, undo)
  const log = await openLog({ level: 'warn', human: true, write: (line) => print(line.trimEnd()) })
  const { version } = options
  const port = await portFor(options.port, USUAL_PORT)
  const tillUrl = `http://127.0.0.1:${port}`
  const { relayUrl, namesUrl } = await openSandboxRelay({ home, version, log, tillUrl }, undo)
  const foreignPort = await portFor(undefined, USUAL_FOREIGN_PORT)
  const consolePort = await portFor(undefined, USUAL_CONSOLE_PORT)
  const namesFile = join(home.directory, 'names.env')
  await replaceFile(namesFile, sandboxNamesFile(home), 0o600)
  const ports = { port, foreignPort, consolePort }
  const around = { home, ...ports, workers, nodeUrl: node.url, webhookUrl, relayUrl, namesFile, log }
  const url = await openTill(options, around, undo)
  const namesPort = await portFor(undefined, USUAL_NAMES_PORT)
  const salesUrl = await openNames({ home, version, log, namesPort, tillUrl, nodeUrl: node.url, relayUrl }, undo)
  forwardEventsTo(webhookAt(namesUrl))
  await funding
  const { apiToken, adminToken } = home.secrets
  const api = createInvoicingClient({ baseUrl: url, apiToken, adminToken })
  const foreignUrl = `http://127.0.0.1:${foreignPort}`
  const customers = createCustomers({ payer, foreignUrl, clock: systemClock, random: systemRandom })
  const signInLink = linkMaker(home, consolePort)
  return { home, node, payer, customers, events, print, url, namesUrl, salesUrl, relayUrl, api, signInLink }
}

/** POST /sandbox/pay {target, rail}: pays an open invoice of this till, named by its address or its id, and that of a test
 * till which believes this sandbox's node, named by its address. */
function offerPaying({ node, customers, api, print, url }: Stage): void {
  node.offer('pay', async ({ target, rail: asked }) => {
    const rail = payRailOf(asked)
    const elsewhere = payUrlElsewhere(target, url)
    const invoice =
      elsewhere === undefined
        ? await api.invoice(await invoiceIdOf(await wholeTarget(api, target), url, invoiceIdAt))
        : await invoiceElsewhere(elsewhere, rail)
    const { slateId, excess } = await customers[rail](invoice)
    print(`     paid      ${invoice.pay_url} over ${rail} (slate ${slateId})`)
    return { pay_url: invoice.pay_url, rail, slate_id: slateId, kernel_excess: excess }
  })
}

/** An invoice id that was shortened, made whole. Throws ID_AMBIGUOUS. */
const wholeTarget = async (api: Stage['api'], target: unknown): Promise<unknown> =>
  typeof target === 'string' ? wholeId('invoice', target, (prefix) => api.ids('invoice', prefix)) : target

/** The printed link waits until its reader has come so far; on this machine it opens play money only. */
const FIRST_LINK_MS = 10 * 60_000

/** POST /sandbox/console: a fresh link, good for a minute. */
function offerConsole({ node, signInLink }: Stage): void {
  node.offer('console', async () => ({ url: await signInLink() }))
}

/** POST /sandbox/send {grin, address} and /sandbox/finish {slatepack}: play money for any wallet, by paste. */
function offerSending({ node, payer }: Stage): void {
  const { send, finish } = createPasteCustomer(payer)
  node.offer('send', send)
  node.offer('finish', finish)
}

interface Times {
  readonly startedAt: number
  readonly signal: AbortSignal
}

/** Introduces the stage; with a story, tells it to its end, and then that of a name. */
export async function play(stage: Stage, options: SandboxOptions, times: Times): Promise<ScriptResult | undefined> {
  offerPaying(stage)
  offerConsole(stage)
  offerSending(stage)
  const { print, node, customers } = stage
  const { blockEveryMs } = options
  const printBare = (line = '') => options.write(`${line}\n`)
  const consoleLink = await stage.signInLink(FIRST_LINK_MS)
  const command = commandName()
  const around = { printBare, nodeUrl: node.url, blockEveryMs, usualNodePort: USUAL_NODE_PORT, command }
  introduce({ ...stage, ...around, consoleLink })
  if (!options.story) return undefined
  const parts = { ...stage, ...times, pay: customers.nostr, clock: systemClock }
  const names = createNameScript({ ...parts, random: systemRandom })
  // The name is paid for in the shadow of the first invoice's confirmations: printed one after the other, but not waited for twice.
  const result = await runScript({ ...parts, afterPaying: names.begin })
  const name = await names.tell()
  print()
  const open = await offerInvoice(stage)
  print('pay it with')
  printBare(`  ${command} sandbox pay ${open.invoice_id}${nodePortFlag(node.url, USUAL_NODE_PORT)}`)
  print()
  return { ...result, name }
}

interface NameSurroundings extends NameAddresses {
  readonly home: SandboxHome
  readonly version: string
  readonly log: SystemLog
}

/** Answers the authority's address when it listens. */
async function openNames({ version, log, home, ...around }: NameSurroundings, undo: Undo): Promise<string> {
  const variables = sandboxNameVariables(home, around)
  const config = loadNameauthConfig(openEnvironment({ variables }))
  const daemon = await openNameDaemon(config, { version, log, tipRules: PRIVATE_CHAIN_RULES })
  undo.add(() => daemon.stop())
  await daemon.start()
  return config.baseUrl
}
