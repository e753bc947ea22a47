// The running relay: whether it answers on this machine, and what it says of its parts.
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { localHostPort } from '../../lib/url.js'
import { ask } from '../ask.js'
import { createDaemonCheck, type ReadinessHelp, readinessOf, versionIn } from '../daemon-check.js'
import type { RelayCheck, RelayDoctorContext } from './context.js'

const HELP: ReadinessHelp = {
  daemon: 'relay',
  remedies: {
    database: 'grinpay doctor --daemon relay --check database',
    names: 'grinpay doctor --daemon relay --check names',
    authority: 'grinpay doctor --daemon relay --check names',
  },
}

/** Where the relay answers on this machine. */
export const localUrl = ({ config: { bind } }: Pick<RelayDoctorContext, 'config'>): string =>
  `http://${localHostPort(bind.host, bind.port)}`

export const relayDaemonCheck: RelayCheck = createDaemonCheck({
  daemon: 'relay',
  portSetting: 'network.port',
  urlOf: (context: RelayDoctorContext) => localUrl(context),
  healthPath: '/health',
  look: (url, { signal }) => ask({ url, signal }),
  silence: (url, why) => `nothing answers at ${url}: ${why}`,
  async greeting(health, context) {
    const version = versionIn(health)
    return version !== undefined && (await hasDocument(context)) ? `version ${version} answers` : undefined
  },
  parts: async (url, { signal }) => readinessOf(await ask({ url: `${url}/ready`, signal }), HELP),
})

/** The relay document (NIP-11). */
async function hasDocument(context: RelayDoctorContext): Promise<boolean> {
  const headers = { accept: 'application/nostr+json' }
  const document = await ask({ url: localUrl(context), signal: context.signal, headers })
  return !('why' in document) && Array.isArray(membersOf(parseJson(document.text)).supported_nips)
}
