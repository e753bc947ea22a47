import { createPaymentService, httpTransport } from '../../client/index.js'
import type { Environment, NameauthConfig } from '../../config/index.js'
import { messageOf } from '../../lib/errors.js'
import { localHostPort } from '../../lib/url.js'
import { openNameStore, openSharedNames } from '../../storage/index.js'
import { systemRandom } from '../../system/index.js'
import { PATIENCE_MS } from '../ask.js'
import type { DoctorCheck, DoctorWays } from '../check.js'
import { createDaemonCheck, type ReadinessHelp, readinessOf } from '../daemon-check.js'
import { createDatabaseCheck, MORE_ROOM } from '../database-check.js'
import { type Finding, fail, failed, pass } from '../finding.js'

// What the checks of a name authority work with.

export interface NameContext extends DoctorWays {
  readonly environment: Environment
  readonly config: NameauthConfig
  /** Time is up. */
  readonly signal: AbortSignal
}

export type NameCheck = DoctorCheck<NameContext>

// The running authority: whether it answers on this machine, and what it says of its parts.

const HELP: ReadinessHelp = {
  daemon: 'nameauth',
  remedies: {
    database: 'check the disk and the owner of NAMEAUTH_NAMES_DB',
    payments: 'grinpay doctor --daemon nameauth --check pay',
    node: 'grinpay doctor --daemon nameauth --check node',
  },
}

const look = (url: string) =>
  httpTransport(PATIENCE_MS, 65_536)({ method: 'GET', url }).catch((thrown: unknown) => ({ why: messageOf(thrown) }))

export const nameauthDaemonCheck: NameCheck = createDaemonCheck({
  daemon: 'nameauth',
  portSetting: 'NAMEAUTH_NAMES_BIND',
  urlOf: ({ config: { bind } }: NameContext) => `http://${localHostPort(bind.host, bind.port)}`,
  healthPath: '/api/v1/health',
  look,
  silence: (url) => `nothing answers at ${url}`,
  greeting: ({ text }) => (text === 'ok' ? 'answers' : undefined),
  parts: async (url) => readinessOf(await look(`${url}/ready`), HELP),
})

// The database: of this version, and writable by the user of the doctor.

const OWNER = 'check the owner of the folder and the disk; run the doctor as the user of the daemon'

const CLUSTER = 'grinpay doctor --daemon nameauth --check cluster'

export const nameauthDatabaseCheck: NameCheck = createDatabaseCheck({
  limitMs: 20_000,
  start: 'grinpay serve nameauth',
  room: MORE_ROOM,
  isElsewhere: ({ config }) => config.database !== undefined,
  inspect: async (context: NameContext) => [await finding(context)],
})

async function finding({ config, clock }: NameContext): Promise<Finding> {
  const { database, dbPath } = config
  const remedy = database ? CLUSTER : OWNER
  const opening = database
    ? openSharedNames({ place: database, clock, random: systemRandom, mustExist: true })
    : openNameStore({ path: dbPath, now: clock.now, mustExist: true })
  const opened = await opening.catch((thrown: unknown) => failed(thrown, remedy))
  if ('level' in opened) return opened
  try {
    await opened.check()
    return pass(database ? 'writable, and a standby has it' : `writable, ${dbPath}`)
  } catch (thrown) {
    return fail(failed(thrown, remedy).detail, remedy)
  } finally {
    await opened.close()
  }
}

// The till that makes the invoices: whether it answers, and takes our token.

/** An invoice that no till has. */
const UNKNOWN_INVOICE = '00000000-0000-4000-8000-000000000000'

export const payCheck: NameCheck = {
  name: 'pay',
  limitMs: 15_000,
  applies: ({ sale }) => sale !== undefined,
  async run({ config: { pay } }) {
    if (!pay) return []
    const service = createPaymentService({ baseUrl: pay.url, token: pay.token, timeoutMs: PATIENCE_MS })
    try {
      await service.readInvoice(UNKNOWN_INVOICE)
      return [pass(`${pay.url} answers, and takes our token`)]
    } catch (thrown) {
      const remedy = 'check NAMEAUTH_PAY_URL, and that NAMEAUTH_PAY_TOKEN is PAY_API_TOKEN of that till'
      return [{ ...failed(thrown, remedy), remedy }]
    }
  },
}
