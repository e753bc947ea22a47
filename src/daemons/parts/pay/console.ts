// The areas of the console beside the till (PAY_CONSOLE). Loaded only when it is on.
import type { PayConfig } from '../../../config/index.js'
import type { ConsoleArea } from '../../../console/index.js'
import { createReadiness } from '../../../http/index.js'
import type { RunningTillStore } from '../../../storage/index.js'
import type { SystemClock, SystemLog, SystemRandom } from '../../../system/index.js'
import {
  createPosArea,
  createReportJobs,
  createReportsArea,
  createSales,
  createTillArea,
  createTillView,
} from '../../../till/console/index.js'
import type { Rates, Till } from '../../../till/index.js'
import type { checksOf, Part } from '../../runtime.js'
import { USUAL_NODE_PORT } from '../../sandbox-ports.js'
import { type AreasBeside, createConsolePart } from '../console.js'
import { usableMethods } from './settings.js'

export interface ConsoleParts {
  readonly config: PayConfig
  readonly log: SystemLog
  readonly clock: SystemClock
  readonly random: SystemRandom
  readonly till: Till
  /** The till's. */
  readonly store: RunningTillStore
  readonly rates: Rates
  /** What each part says of itself, as `/ready` asks it. */
  readonly checks: () => ReturnType<typeof checksOf>
}

const BANNERS: Readonly<Record<PayConfig['chain'], { readonly name: string; readonly text: string } | null>> = {
  mainnet: null,
  testnet: { name: 'TESTNET', text: 'Coins of a test network. They are worth nothing.' },
  usernet: { name: 'USERNET', text: 'Coins of a test network. They are worth nothing.' },
  sandbox: { name: 'SANDBOX', text: 'Play money on this machine.' },
}

/** The address of a node without what may be secret: user name, password, and a path of its own, for which "/…" stands. */
function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address)
  return /^\/(?:v2\/foreign\/?)?$/.test(pathname) ? origin : `${origin}/…`
}

/** Listening throws ADDRESS_IN_USE. */
export async function createTillConsole(parts: ConsoleParts): Promise<Part> {
  const { config, log, clock, random } = parts
  const { chain, consoleBind: bind, consoleUrl: url, shopName, dbPath, trustedProxies } = config
  const site = { name: shopName ?? 'grinpay', banner: BANNERS[chain] }
  const beside = await openBeside(parts)
  const areas = [
    createTillArea(createTillView({ ...parts, nodes: config.nodeUrls.map(shownAddress) })),
    posArea(parts, site.name),
    createReportsArea(createReportJobs(parts)),
    ...beside.flatMap(({ areas }) => areas),
  ]
  const part = await createConsolePart({ log, clock, random, dbPath, bind, url, trustedProxies, site, areas })
  return {
    ...part,
    async stop() {
      await part.stop()
      for (const { close } of beside) await close?.()
    },
  }
}

/** Of daemons on this machine whose settings are named. Most tills do without, and load nothing for it. */
async function openBeside({ config, clock, log }: ConsoleParts): Promise<readonly AreasBeside[]> {
  const { consoleNameauth, consoleRelay } = config
  const open: AreasBeside[] = []
  if (consoleNameauth !== undefined) {
    const { namesAreasBeside } = await import('../nameauth/names-beside.js')
    open.push(namesAreasBeside(consoleNameauth))
  }
  if (consoleRelay !== undefined) {
    const { relayAreasBeside } = await import('../relay/relay-beside.js')
    open.push(relayAreasBeside({ settingsFile: consoleRelay, clock, log }))
  }
  return open
}

/** The command that pays like a customer, on a till that plays; else null. */
export function payCommandOf({ chain, nodeUrls: [nodeUrl] }: Pick<PayConfig, 'chain' | 'nodeUrls'>, id: string) {
  if (chain !== 'sandbox') return null
  const port = nodeUrl === undefined ? '' : new URL(nodeUrl).port
  const flag = port === '' || Number(port) === USUAL_NODE_PORT ? '' : ` --node-port ${port}`
  return `grinpay sandbox pay ${id}${flag}`
}

function posArea(parts: ConsoleParts, shop: string): ConsoleArea {
  const { config, checks, clock, random } = parts
  const readiness = createReadiness({ checks, clock })
  const offersWallets = usableMethods(config).includes('nostr')
  return createPosArea({
    sales: createSales({
      ...parts,
      readiness,
      offersWallets,
      paidFrom: config.posPaidAt,
      payCommand: (id) => payCommandOf(config, id),
    }),
    random,
    shop,
  })
}
