// The proxy in front of a relay alone: it answers for its whole host, names included where they are in its process or passed on by it
// (specification: relay, 10).
import { hostPort, parseUrl } from '../../lib/url.js'
import { notForProxy } from '../errors.js'
import { stamped } from '../services/index.js'
import { renderTemplate } from '../templates.js'
import { certificateFiles, hostName, listeningOn, upstream } from './hosts.js'
import type { ProxyOptions, ProxyProgram } from './proxy.js'

/** As settings and flags say it; nothing is checked yet. */
export interface RelayProxyOptions extends Pick<ProxyOptions, 'listen' | 'certificate'> {
  /** Public addresses of the relay; the first wss:// is served. */
  readonly relayUrls: readonly string[]
  /** Where the relay listens. */
  readonly bind: { readonly host: string; readonly port: number }
  /** Where the relay looks for the address of a client. */
  readonly addressHeader: string
  readonly trustedProxies: readonly string[]
}

const TEMPLATES: Readonly<Record<ProxyProgram, string>> = {
  caddy: 'proxy/Caddyfile.relay',
  nginx: 'proxy/nginx.relay.conf',
}

/** The configuration as text. Throws NOT_FOR_PROXY for what cannot stand in one. */
export const renderRelayProxy = (program: ProxyProgram, options: RelayProxyOptions): string =>
  stamped(renderTemplate(TEMPLATES[program], checked(options)))

/** Where the world reaches the relay, as `host:port`. Throws NOT_FOR_PROXY without a wss:// address at the root. */
export function publicRelay(relayUrls: readonly string[]): { readonly host: string; readonly port: number } {
  const found = relayUrls.find((address) => parseUrl(address)?.protocol === 'wss:')
  if (found === undefined) throw notForProxy('info.relay_url names no wss:// address')
  const { hostname, port, pathname } = new URL(found)
  if (pathname !== '/') throw notForProxy(`info.relay_url has a path, and the relay answers at / only: ${pathname}`)
  return { host: hostName('the host of info.relay_url', hostname), port: port === '' ? 443 : Number(port) }
}

function checked({ relayUrls, bind, addressHeader, trustedProxies, listen, certificate }: RelayProxyOptions) {
  if (addressHeader !== 'x-real-ip')
    throw notForProxy(`network.remote_ip_header is ${addressHeader}, and this proxy tells the address in x-real-ip`)
  const { host, port } = publicRelay(relayUrls)
  return {
    ...listeningOn(listen),
    host,
    port,
    id: host.replaceAll(/[^a-z0-9]/g, '_'),
    relay: upstream('network.address and network.port', hostPort(bind.host, bind.port)),
    trusted: trustedProxies.length === 0 ? 'none' : trustedProxies.join(','),
    certificate: certificateFiles(certificate),
  }
}
