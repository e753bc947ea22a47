// Every configuration of a proxy that can be printed is one that the proxy itself takes.
import { describe, expect, test } from 'vitest'
import { type ProxyOptions, renderProxy, renderRelayProxy, renderTillProxy } from '../../../src/wizard/proxy/index.js'
import { checkProxy, findProxy, type ProxyName } from '../../support/proxies.js'

type Own = Required<Pick<ProxyOptions, 'certificate' | 'listen'>>

const NAMES = {
  domain: 'names.example',
  baseUrl: 'https://names.example',
  bind: { host: '127.0.0.1', port: 8191 },
  trustedProxies: ['127.0.0.1'],
  relayUpstream: '[::1]:7777',
} as const
const RELAY = {
  relayUrls: ['wss://relay.example'],
  bind: { host: '127.0.0.1', port: 7777 },
  addressHeader: 'x-real-ip',
  trustedProxies: ['127.0.0.1'],
} as const
const TILL = {
  publicUrl: 'https://pay.example',
  hasTls: false,
  bind: { host: '127.0.0.1', port: 8080 },
  trustedProxies: ['127.0.0.1'],
} as const

const CONSOLE = { url: 'https://console.example', bind: { host: '127.0.0.1', port: 3480 } } as const

const PRINTED: readonly (readonly [what: string, render: (name: ProxyName, own: Own) => string])[] = [
  ['a till', (name, own) => renderTillProxy(name, { ...TILL, ...own })],
  ['a till with its console', (name, own) => renderTillProxy(name, { ...TILL, ...own, console: CONSOLE })],
  ['a relay', (name, own) => renderRelayProxy(name, { ...RELAY, ...own })],
  ['names and relay on one host', (name, own) => renderProxy(name, { ...NAMES, placement: 'colocated', ...own })],
  [
    'names and relay on two hosts',
    (name, own) => renderProxy(name, { ...NAMES, placement: 'split', relayHost: 'relay.example', ...own }),
  ],
  ['names alone', (name, own) => renderProxy(name, { ...NAMES, placement: 'split', ...own })],
]

describe.each(['nginx', 'caddy'] as const)('%s takes the configuration for', (name) => {
  test.runIf(findProxy(name)).each(PRINTED)('%s', async (_what, render) => {
    await expect(checkProxy(name, (own) => render(name, own))).resolves.toBeUndefined()
  })
})

test.runIf(findProxy('nginx'))('a wrong one is refused, so the others prove something', async () => {
  const broken = (own: Own) => renderTillProxy('nginx', { ...TILL, ...own }).replace('proxy_pass', 'proxy_passs')
  await expect(checkProxy('nginx', broken)).rejects.toThrow('proxy_passs')
})
