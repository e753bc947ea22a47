// The running relay: whether it answers on this machine, and what it says of its parts.
import { localHostPort } from '../../lib/host-port.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { type Answer, ask, type Silence } from '../ask.js'
import { type Finding, fail, pass, warn } from '../finding.js'
import type { RelayCheck, RelayContext } from './context.js'

const START = 'systemctl start grinpay-relay, or grinpay serve relay; journalctl -u grinpay-relay says why it stopped'

/** Where to look for each part that is not well. */
const REMEDIES: Readonly<Record<string, string>> = {
  database: 'grinpay doctor --daemon relay --check database',
  names: 'grinpay doctor --daemon relay --check names',
  authority: 'grinpay doctor --daemon relay --check names',
}

/** Where the relay answers on this machine. */
export const localUrl = ({ config: { bind } }: Pick<RelayContext, 'config'>): string =>
  `http://${localHostPort(bind.host, bind.port)}`

export const daemonCheck: RelayCheck = {
  name: 'daemon',
  limitMs: 20_000,
  applies: () => true,
  async run(context) {
    const url = localUrl(context)
    const look = (path: string) => ask({ url: `${url}${path}`, signal: context.signal })
    const health = await look('/health')
    if ('why' in health) return [fail(`nothing answers at ${url}: ${health.why}`, START)]
    const version = membersOf(parseJson(health.text)).version
    const document = await ask({ url, signal: context.signal, headers: { accept: 'application/nostr+json' } })
    if (health.status !== 200 || typeof version !== 'string' || 'why' in document || !isRelay(document.text))
      return [
        fail(
          `${url} answers ${health.status}, but not as a relay does`,
          'ss -ltnp shows who has that port; set network.port to one of its own',
        ),
      ]
    return [pass(`version ${version} answers at ${url}`), ...readinessOf(await look('/ready'))]
  },
}

const isRelay = (text: string): boolean => Array.isArray(membersOf(parseJson(text)).supported_nips)

function readinessOf(ready: Answer | Silence): readonly Finding[] {
  if ('why' in ready) return [fail('/ready does not answer', START)]
  const { status, text } = ready
  const { checks } = membersOf(parseJson(text))
  if (!Array.isArray(checks)) return [fail(`/ready answers ${status} without checks`, START)]
  const names = checks.map(membersOf).flatMap((part) => (part.status === 'ok' ? [] : [String(part.name)]))
  if (names.length === 0) return [pass('all parts are ready')]
  // What does not answer elsewhere keeps nobody from publishing and reading.
  const tell = status === 200 ? warn : fail
  return names.map((name) => ({
    ...tell('is not well', REMEDIES[name] ?? 'journalctl -u grinpay-relay'),
    about: name.slice(0, 40),
  }))
}
