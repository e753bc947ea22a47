// The console beside the till: whether its listener answers, whether its public address leads there and passkeys work at it, and whether its
// database can be read.
import { existsSync } from 'node:fs'
import { localHostPort } from '../../lib/url.js'
import { examineCopy } from '../../storage/index.js'
import { consoleFile } from '../../system/index.js'
import { ask, type ProbeAnswer, type Silence } from '../ask.js'
import type { DoctorCheck } from '../check.js'
import { type Finding, fail, pass, warn } from '../finding.js'
import { certificateFindings, unreachableRemedies } from '../public-address.js'

const PAGE = '/console/sign-in'
const START = 'systemctl restart grinpay-pay, after PAY_CONSOLE=on; journalctl -u grinpay-pay says why it stopped'
const PROXY = 'grinpay proxy print --kind nginx --daemon pay (or caddy) prints a proxy that does'
const remedyFor = unreachableRemedies('PAY_CONSOLE_URL', PROXY)
const FOREIGN_HOST = 421

export const consoleCheck: DoctorCheck = {
  name: 'console',
  limitMs: 30_000,
  applies: ({ console }) => console,
  async run({ config: { consoleBind: bind, consoleUrl, dbPath }, signal, clock }) {
    const own = `http://${localHostPort(bind.host, bind.port)}`
    const inside = listenerFinding(own, await ask({ url: `${own}${PAGE}`, signal }))
    const database = await databaseFinding(consoleFile(dbPath))
    if (inside.level !== 'pass') return [inside, database]
    return [inside, ...(await publicFindings(consoleUrl, signal, clock.now())), database]
  },
}

/** The page to sign in names the command that makes a link. */
const isConsole = ({ status, text }: ProbeAnswer): boolean => status === 200 && text.includes('grinpay console open')

function listenerFinding(url: string, answer: ProbeAnswer | Silence): Finding {
  if ('why' in answer) return fail(`no answer from the console at ${url}: ${answer.why}`, START)
  if (isConsole(answer)) return pass(`the console answers at ${url}`)
  return fail(
    `${url} answers ${answer.status}, but not as a console does`,
    'ss -ltnp shows who has that port; set PAY_CONSOLE_BIND to one of its own',
  )
}

/** An address of the reader's own machine is the near end of a tunnel, which cannot be seen from here. */
async function publicFindings(url: string | undefined, signal: AbortSignal, now: number): Promise<readonly Finding[]> {
  if (url === undefined || url.startsWith('http:')) return []
  const answer = await ask({ url: `${url}${PAGE}`, signal })
  return [...('why' in answer ? [] : certificateFindings(url, answer, now)), publicFinding(url, answer)]
}

export function publicFinding(url: string, answer: ProbeAnswer | Silence): Finding {
  if ('why' in answer) return fail(`${url} cannot be reached: ${answer.why}`, remedyFor(answer.why))
  if (answer.status === FOREIGN_HOST)
    return fail(`the proxy of ${url} sends another Host on: the console refuses it`, PROXY)
  if (!isConsole(answer)) return fail(`${url} answers ${answer.status}, but not as a console does`, PROXY)
  if (!answer.text.includes('data-passkey'))
    return fail(`passkeys do not work at ${url}: the proxy sends another Host on`, PROXY)
  return pass(`${url} leads to a console, and passkeys work there`)
}

async function databaseFinding(path: string): Promise<Finding> {
  if (!existsSync(path)) return warn(`there is no console.db at ${path} yet`, `the first start makes it: ${START}`)
  const { damage } = await examineCopy(path, 'console')
  const [first] = damage
  return first === undefined
    ? pass(`${path} can be read`)
    : fail(
        `${path} is damaged: ${first}`,
        'stop the till, move the file away, start it: only sign-ins and the audit log are lost',
      )
}
