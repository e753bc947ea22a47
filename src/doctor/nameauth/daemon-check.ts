// The running authority: whether it answers on this machine, and what it says of its parts.
import { httpTransport } from '../../client/index.js'
import { messageOf } from '../../lib/errors.js'
import { localHostPort } from '../../lib/url.js'
import { PATIENCE_MS } from '../ask.js'
import { createDaemonCheck, type ReadinessHelp, readinessOf } from '../daemon-check.js'
import type { NameCheck, NameContext } from './context.js'

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
