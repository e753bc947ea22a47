// The running relay: whether it answers on this machine, and what it says of its parts.
import { localHostPort } from '../../lib/host-port.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { ask } from '../ask.js'
import { fail, pass } from '../finding.js'
import { type ReadinessHelp, readinessOf } from '../readiness.js'
import type { RelayCheck, RelayContext } from './context.js'

const START = 'systemctl start grinpay-relay, or grinpay serve relay; journalctl -u grinpay-relay says why it stopped'

const HELP: ReadinessHelp = {
  start: START,
  remedies: {
    database: 'grinpay doctor --daemon relay --check database',
    names: 'grinpay doctor --daemon relay --check names',
    authority: 'grinpay doctor --daemon relay --check names',
  },
  unit: 'grinpay-relay',
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
    const ready = await look('/ready')
    return [pass(`version ${version} answers at ${url}`), ...readinessOf('why' in ready ? undefined : ready, HELP)]
  },
}

const isRelay = (text: string): boolean => Array.isArray(membersOf(parseJson(text)).supported_nips)
