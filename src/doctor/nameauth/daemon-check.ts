// The running authority: whether it answers on this machine, and what it says of its parts.

import { type HttpResponse, httpTransport } from '../../client/index.js'
import { localHostPort } from '../../lib/host-port.js'
import { PATIENCE_MS } from '../ask.js'
import { fail, pass } from '../finding.js'
import { type ReadinessHelp, readinessOf } from '../readiness.js'
import type { NameCheck } from './context.js'

const START =
  'systemctl start grinpay-nameauth, or grinpay serve nameauth; journalctl -u grinpay-nameauth says why it stopped'

const HELP: ReadinessHelp = {
  start: START,
  remedies: {
    database: 'check the disk and the owner of NAMEAUTH_NAMES_DB',
    payments: 'grinpay doctor --daemon nameauth --check pay',
    node: 'grinpay doctor --daemon nameauth --check node',
  },
  unit: 'grinpay-nameauth',
}

export const daemonCheck: NameCheck = {
  name: 'daemon',
  limitMs: 20_000,
  applies: () => true,
  async run({ config }) {
    const url = `http://${localHostPort(config.bind.host, config.bind.port)}`
    const ask = (path: string): Promise<HttpResponse | undefined> =>
      httpTransport(PATIENCE_MS, 65_536)({ method: 'GET', url: `${url}${path}` }).catch(() => undefined)
    const health = await ask('/api/v1/health')
    if (!health) return [fail(`nothing answers at ${url}`, START)]
    if (health.text !== 'ok')
      return [
        fail(
          `${url} answers ${health.status}, but not as a name authority does`,
          'ss -ltnp shows who has that port; set NAMEAUTH_NAMES_BIND to one of its own',
        ),
      ]
    return [pass(`answers at ${url}`), ...readinessOf(await ask('/ready'), HELP)]
  },
}
