// The running daemon: whether it answers on this machine, and what it says of its parts at /ready.
import { DAEMONS, type DaemonName } from '../config/index.js'
import { membersOf, parseJson } from '../lib/parse-json.js'
import { plainText } from '../lib/plain-text.js'
import type { Silence } from './ask.js'
import type { CheckContext, DoctorCheck } from './check.js'
import { type Finding, fail, pass, warn } from './finding.js'

interface Reply {
  readonly status: number
  readonly text: string
}

interface DaemonQuestion<C> {
  readonly daemon: DaemonName
  /** As `--check` takes it, where it is not `daemon`. */
  readonly name?: string
  /** The setting with its port. */
  readonly portSetting: string
  readonly urlOf: (context: C) => string
  readonly healthPath: string
  readonly look: (url: string, context: C) => Promise<Reply | Silence>
  readonly silence: (url: string, why: string) => string
  /** How the daemon is reported, in front of "at URL"; undefined: another program answers. */
  readonly greeting: (health: Reply, context: C) => string | undefined | Promise<string | undefined>
  /** What it says of its parts. */
  readonly parts: (url: string, context: C) => Promise<readonly Finding[]>
}

export const createDaemonCheck = <C extends CheckContext>(question: DaemonQuestion<C>): DoctorCheck<C> => ({
  name: question.name ?? 'daemon',
  limitMs: 20_000,
  async run(context) {
    const { daemon, portSetting, urlOf, healthPath, look, silence, greeting, parts } = question
    const url = urlOf(context)
    const health = await look(`${url}${healthPath}`, context)
    if ('why' in health) return [fail(silence(url, health.why), startOf(daemon))]
    const said = await greeting(health, context)
    if (said !== undefined) return [pass(`${said} at ${url}`), ...(await parts(url, context))]
    return [
      fail(
        `${url} answers ${health.status}, but not as a ${DAEMONS[daemon].title} does`,
        `ss -ltnp shows who has that port; set ${portSetting} to one of its own`,
      ),
    ]
  },
})

const startOf = (daemon: DaemonName): string =>
  `systemctl start grinpay-${daemon}, or grinpay serve ${daemon}; journalctl -u grinpay-${daemon} says why it stopped`

/** The version in an answer of `/health`; undefined: no daemon of ours, or one that is not well. */
export function versionIn({ status, text }: Reply): string | undefined {
  const { version } = membersOf(parseJson(text))
  return status === 200 && typeof version === 'string' ? version : undefined
}

type Part = ReturnType<typeof membersOf>

export interface ReadinessHelp {
  readonly daemon: DaemonName
  /** Where to look for each part that is not well. */
  readonly remedies: Readonly<Record<string, string>>
  readonly allReady?: (count: number) => string
  /** Level of a part that leaves the daemon ready. Default: warn. */
  readonly whileReady?: 'warn' | 'fail'
  /** What is wrong with a part, for people. */
  readonly problemOf?: (part: Part) => string
}

/** One line for each part that is not well, about that part; else one for all. */
export function readinessOf(ready: Reply | Silence, help: ReadinessHelp): readonly Finding[] {
  const { daemon, remedies, allReady = () => 'all parts are ready', problemOf = reasonOf, whileReady = 'warn' } = help
  if ('why' in ready) return [fail('/ready does not answer', startOf(daemon))]
  const { status, text } = ready
  const { checks } = membersOf(parseJson(text))
  if (!Array.isArray(checks)) return [fail(`/ready answers ${status} without checks`, startOf(daemon))]
  const failed = checks.map(membersOf).filter((part) => part.status !== 'ok')
  if (failed.length === 0) return [pass(allReady(checks.length))]
  // The daemon does its work without a part that leaves it ready.
  const level = status === 200 && whileReady === 'warn' ? warn : fail
  return failed.map((part) => {
    const name = nameOf(part)
    const remedy = Object.hasOwn(remedies, name) ? remedies[name] : undefined
    return { ...level(problemOf(part), remedy ?? `journalctl -u grinpay-${daemon}`), about: name }
  })
}

/** Empty: the part has none. */
const nameOf = ({ name }: Part): string => (typeof name === 'string' ? plainText(name.slice(0, 40)) : '')

const reasonOf = ({ reason }: Part): string =>
  typeof reason === 'string' ? `is not well: ${reason.slice(0, 200)}` : 'is not well'
