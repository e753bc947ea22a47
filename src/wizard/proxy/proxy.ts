// The proxy in front of a name authority and its relay: from settings to a whole configuration (specification: names, 12).
import { hostPort, parseUrl } from '../../lib/url.js'
import { notForProxy } from '../errors.js'
import { stamped } from '../services/index.js'
import { renderTemplate } from '../templates.js'
import { certificateFiles, hostName, listeningOn, upstream } from './hosts.js'

export type ProxyProgram = 'caddy' | 'nginx'

/** One host for both, or a host of its own for the authority. */
type Placement = 'colocated' | 'split'

/** As settings and flags say it; nothing is checked yet. */
export interface ProxyOptions {
  readonly domain: string
  /** The public address of the authority. */
  readonly baseUrl: string
  /** Where the authority listens. */
  readonly bind: { readonly host: string; readonly port: number }
  readonly trustedProxies: readonly string[]
  readonly placement: Placement
  /** `host:port` of the relay. */
  readonly relayUpstream: string
  /** With `split`: the relay's host; undefined: it is served elsewhere. */
  readonly relayHost?: string | undefined
  /** The only address of this machine to listen on; undefined: all, IPv4 and IPv6. */
  readonly listen?: string | undefined
  /** PEM files; undefined: those of the usual way. */
  readonly certificate?: { readonly chain: string; readonly key: string } | undefined
}

/**
 * Idle connections to the authority are closed after this by the proxy. The authority itself waits longer (72 s), so it never closes
 * one in the moment of a request.
 */
const IDLE_SECONDS = 60

const TEMPLATES: Readonly<Record<ProxyProgram, string>> = {
  caddy: 'proxy/Caddyfile',
  nginx: 'proxy/nginx.conf',
}

/** The configuration as text. Throws NOT_FOR_PROXY for what cannot stand in one, whatever it was written for. */
export const renderProxy = (program: ProxyProgram, options: ProxyOptions): string =>
  stamped(renderTemplate(TEMPLATES[program], checked(options)))

function checked({ placement, bind, trustedProxies, listen, ...options }: ProxyOptions) {
  const domain = hostName('the domain', options.domain)
  const relay = relayOf(options, domain, placement)
  return {
    ...listeningOn(listen),
    form: placement,
    domain,
    hosts: relay?.host === undefined ? [domain] : [domain, relay.host],
    id: domain.replaceAll(/[^a-z0-9]/g, '_'),
    port: publicPort(options.baseUrl),
    authority: upstream('NAMEAUTH_NAMES_BIND', hostPort(bind.host, bind.port)),
    relay,
    trusted: trustedProxies.length === 0 ? 'none' : trustedProxies.map(network).join(','),
    idleSeconds: IDLE_SECONDS,
    certificate: certificateFiles(options.certificate),
  }
}

type Relay = Pick<ProxyOptions, 'relayUpstream' | 'relayHost'>

/** Undefined: the relay is served elsewhere. With one host for both it has none of its own. */
function relayOf({ relayUpstream, relayHost }: Relay, domain: string, placement: Placement) {
  const at = upstream('the relay', relayUpstream)
  if (placement === 'colocated') return { upstream: at, host: undefined }
  if (relayHost === undefined) return undefined
  const host = hostName("the relay's host", relayHost)
  if (host === domain) throw notForProxy(`${host} is the authority's own host: the relay needs another, or none`)
  return { upstream: at, host }
}

/** Where the world reaches the authority. Throws NOT_FOR_PROXY for an address that no proxy can answer at. */
function publicPort(baseUrl: string): number {
  const url = parseUrl(baseUrl)
  if (url?.protocol !== 'https:' || url.pathname !== '/')
    throw notForProxy(`NAMEAUTH_BASE_URL is not just https:// and a host: ${JSON.stringify(baseUrl.slice(0, 80))}`)
  return url.port === '' ? 443 : Number(url.port)
}

/** Settings hold addresses and ranges only; a line break in one would end the remark it is shown in. */
function network(entry: string): string {
  if (/^[0-9a-f.:/]+$/i.test(entry)) return entry
  throw notForProxy(`NAMEAUTH_TRUSTED_PROXIES has something that is no address: ${JSON.stringify(entry.slice(0, 80))}`)
}
