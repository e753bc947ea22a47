// `sandbox`: the ordinary till on embedded defaults, beside a simulated Grin node, a payer with play money and a shop that listens.
import { createInvoicingClient, createWebhookReceiver, type InvoicingClient } from '../client/index.js'
import { loadPayConfig, openEnvironment } from '../config/index.js'
import {
  createEventFeed,
  createSandboxPayer,
  createVoice,
  type EventFeed,
  forwardTo,
  introduce,
  openHome,
  type Print,
  payTargetOf,
  type SandboxHome,
  type SandboxNode,
  type SandboxPayer,
  sandboxVariables,
  startSandboxNode,
  type Told,
  tellStory,
} from '../sandbox/index.js'
import { openLog, systemClock, systemRandom } from '../system/index.js'
import { createRangeWorkers, type RangeWorkers } from '../workers/index.js'
import { portFor } from './parts/ports.js'
import { createUndo, type Undo } from './parts/undo.js'
import { openPayDaemon } from './pay.js'
import { USUAL_NODE_PORT, USUAL_PORT } from './sandbox-ports.js'

export interface SandboxOptions {
  readonly version: string
  /** Ports somebody asked for; absent: the usual one, or any when it is taken. */
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
  /** How long the process already ran, so that the time told begins with the enter key. */
  readonly uptimeSeconds?: number
}

export interface Sandbox {
  readonly url: string
  readonly nodeUrl: string
  /** The first invoice's end; undefined without a story. Rejects when the story does not end well. */
  readonly told: Promise<Told | undefined>
  /** Idempotent. */
  close(): Promise<void>
}

const COINS = 2
const LOOK_EVERY_SECONDS = 0.5

interface Stage {
  readonly home: SandboxHome
  readonly node: SandboxNode
  readonly payer: SandboxPayer
  readonly api: InvoicingClient
  readonly events: EventFeed
  readonly print: Print
  readonly url: string
}

function openWorkers(undo: Undo): RangeWorkers {
  const workers = createRangeWorkers()
  undo.add(() => workers.close())
  return workers
}

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
  const receiver = await createWebhookReceiver({
    port: 0,
    secret: home.secrets.webhookSecret,
    now: () => systemClock.now(),
    onEvent: async (event) => {
      if (options.forwardTo !== undefined) await forwardTo(options.forwardTo, event)
      events.take(event)
    },
    onRefusal: (reason) => print(`     event     REFUSED: ${reason}`),
  })
  undo.add(() => receiver.close())
  return { events, webhookUrl: receiver.url }
}

interface TillSurroundings {
  readonly home: SandboxHome
  readonly workers: RangeWorkers
  readonly nodeUrl: string
  readonly webhookUrl: string
  readonly print: Print
}

/** Answers the till's address. */
async function openTill(options: SandboxOptions, around: TillSurroundings, undo: Undo): Promise<string> {
  const { home, workers, print } = around
  const port = await portFor(options.port, USUAL_PORT)
  const variables = sandboxVariables(home, { port, ...around })
  const config = loadPayConfig(openEnvironment({ variables }), { allowSandbox: true })
  const log = await openLog({ level: 'warn', human: true, write: (line) => print(line.trimEnd()) })
  const { version } = options
  const daemon = await openPayDaemon(config, { version, log, workers, confirmEverySeconds: LOOK_EVERY_SECONDS })
  undo.add(() => daemon.stop())
  await daemon.start()
  return config.publicUrl
}

async function setUp(options: SandboxOptions, undo: Undo): Promise<Stage> {
  const print = createVoice(options.write)
  const workers = openWorkers(undo)
  const home = await openHome(options.dataDir, systemRandom)
  undo.add(() => home.leave())
  const node = await openNode(options, workers, undo)
  const payer = createSandboxPayer({ nodeUrl: node.url, ...workers, random: systemRandom })
  const funding = payer.fund(COINS)
  funding.catch(() => undefined) // awaited below
  const { events, webhookUrl } = await openShop(options, home, print, undo)
  const url = await openTill(options, { home, workers, nodeUrl: node.url, webhookUrl, print }, undo)
  await funding
  const { apiToken, adminToken } = home.secrets
  return { home, node, payer, events, print, url, api: createInvoicingClient({ baseUrl: url, apiToken, adminToken }) }
}

/** POST /sandbox/pay {target}: pays any open invoice of this till, named by its address or its id. */
function offerPaying({ node, payer, api, print, url }: Stage): void {
  node.offer('pay', async ({ target }) => {
    const payUrl = await payTargetOf(target, url, async (id) => (await api.invoice(id)).pay_url)
    const { slateId, excess } = await payer.pay(payUrl)
    print(`     paid      ${payUrl} (slate ${slateId})`)
    return { pay_url: payUrl, slate_id: slateId, kernel_excess: excess }
  })
}

/** Starts everything and begins the story; nothing is left behind when a piece fails. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const startedAt = systemClock.now() - (options.uptimeSeconds ?? 0) * 1000
  const undo = createUndo()
  const stop = new AbortController()
  try {
    const stage = await setUp(options, undo)
    const { node, payer, print, home, url } = stage
    offerPaying(stage)
    introduce({
      print,
      url,
      nodeUrl: node.url,
      home,
      blockEveryMs: options.blockEveryMs,
      usualNodePort: USUAL_NODE_PORT,
    })
    const told = options.story
      ? tellStory({ ...stage, pay: payer.pay, clock: systemClock, startedAt, signal: stop.signal })
      : Promise.resolve(undefined)
    told.catch(() => undefined) // the caller awaits it
    return {
      url,
      nodeUrl: node.url,
      told,
      close: () => {
        stop.abort()
        return undo.all()
      },
    }
  } catch (error) {
    await undo.all()
    throw error
  }
}
