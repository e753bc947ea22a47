// The proxy in front of a till: everything but its admin API; and, at a host of its own, the console.
import { hostPort, parseUrl } from '../../lib/url.js'
import { notForProxy } from '../errors.js'
import { stamped } from '../services/index.js'
import { readTemplate, renderTemplate } from '../templates.js'
import { certificateFiles, hostName, listeningOn, upstream } from './hosts.js'
import type { ProxyOptions, ProxyProgram } from './proxy.js'

/** As settings and flags say it; nothing is checked yet. */
export interface TillProxyOptions extends Pick<ProxyOptions, 'listen' | 'certificate' | 'bind' | 'trustedProxies'> {
  /** Where customers reach it; undefined: nowhere but here. */
  readonly publicUrl: string | undefined
  /** The till speaks https itself. */
  readonly hasTls: boolean
  /** Its console, if that has a public address. */
  readonly console?: { readonly bind: ProxyOptions['bind']; readonly url: string } | undefined
}

const TEMPLATES: Readonly<Record<ProxyProgram, string>> = {
  caddy: 'proxy/Caddyfile.pay',
  nginx: 'proxy/nginx.pay.conf',
}

/** The configuration as text. Throws NOT_FOR_PROXY for what cannot stand in one. */
export const renderTillProxy = (program: ProxyProgram, options: TillProxyOptions): string =>
  stamped(renderTemplate(TEMPLATES[program], checked(options)))

function checked({ publicUrl, hasTls, bind, trustedProxies, listen, certificate, console }: TillProxyOptions) {
  if (hasTls) throw notForProxy('PAY_TLS is on: the till speaks https itself, and a proxy would find no plain http')
  const { host, port } = publicPlace('PAY_PUBLIC_URL', publicUrl)
  return {
    ...listeningOn(listen),
    ...{ host, port },
    id: host.replaceAll(/[^a-z0-9]/g, '_'),
    till: upstream('PAY_BIND', hostPort(bind.host, bind.port)),
    trusted: trustedProxies.length === 0 ? 'none' : trustedProxies.join(','),
    certificate: certificateFiles(certificate),
    awayPage: readTemplate('proxy/away.html').trim(),
    console: console && consoleSite(console),
  }
}

const consoleSite = ({ bind, url }: NonNullable<TillProxyOptions['console']>) => ({
  ...publicPlace('PAY_CONSOLE_URL', url),
  upstream: upstream('PAY_CONSOLE_BIND', hostPort(bind.host, bind.port)),
})

function publicPlace(setting: string, address = ''): { readonly host: string; readonly port: number } {
  const url = parseUrl(address)
  if (url?.protocol !== 'https:' || url.pathname !== '/')
    throw notForProxy(`${setting} is not just https:// and a host: ${JSON.stringify(address.slice(0, 80))}`)
  return { host: hostName(`the host of ${setting}`, url.hostname), port: url.port === '' ? 443 : Number(url.port) }
}
