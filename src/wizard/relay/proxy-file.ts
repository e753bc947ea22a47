// The configuration of the proxy as a file of its own, and how the proxy learns of it.
import { dirname, join } from 'node:path'
import type { RelayConfig } from '../../config/index.js'
import type { Places } from '../../system/index.js'
import { renderRelayProxy } from '../proxy/index.js'
import type { RelayAnswers } from './questions.js'

export interface PlannedProxy {
  readonly program: 'caddy' | 'nginx'
  readonly path: string
  readonly text: string
  /** What makes the proxy read it, once. */
  readonly commands: readonly string[]
}

/** Undefined: no proxy, or one that setup does not configure. Throws NOT_FOR_PROXY. */
export function plannedProxy(
  { envFile }: Places,
  { proxy }: RelayAnswers,
  config: RelayConfig,
): PlannedProxy | undefined {
  if (proxy !== 'caddy' && proxy !== 'nginx') return undefined
  const { bind, trustedProxies, addressHeader, relay } = config
  const { relayUrls } = relay.info
  const path = join(dirname(envFile), proxy === 'caddy' ? 'relay.Caddyfile' : 'relay.nginx.conf')
  const text = renderRelayProxy(proxy, { relayUrls, bind, addressHeader, trustedProxies })
  return { program: proxy, path, text, commands: COMMANDS[proxy](path) }
}

const COMMANDS = {
  caddy: (path: string) => [
    `echo 'import ${path}' >> /etc/caddy/Caddyfile     # once`,
    'caddy validate --config /etc/caddy/Caddyfile && systemctl reload caddy',
  ],
  nginx: (path: string) => [
    '# the certificate comes first: the head of this file tells how',
    `ln -sf ${path} /etc/nginx/conf.d/grinpay-relay.conf`,
    'nginx -t && systemctl reload nginx',
  ],
} as const
