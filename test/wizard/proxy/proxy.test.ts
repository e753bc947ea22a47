// The text that "grinpay config proxy" prints. What real proxies make of it: test/e2e/proxy.test.ts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ProxyOptions, renderProxy } from '../../../src/wizard/proxy/index.js'

const WISHES: ProxyOptions = {
  domain: 'names.example',
  baseUrl: 'https://names.example',
  bind: { host: '127.0.0.1', port: 8191 },
  trustedProxies: ['127.0.0.0/8', '::1'],
  placement: 'colocated',
  relayUpstream: '127.0.0.1:7777',
}
const SPLIT = { placement: 'split', relayHost: 'relay.example' } as const
const nginx = (over: Partial<ProxyOptions> = {}) => renderProxy('nginx', { ...WISHES, ...over })
const caddy = (over: Partial<ProxyOptions> = {}) => renderProxy('caddy', { ...WISHES, ...over })

/** The lines that a proxy reads, without indentation. */
const lines = (text: string): string[] =>
  text.split('\n').flatMap((line) => (/^\s*(#|$)/.test(line) ? [] : [line.trim()]))
/** What stands between the line that begins with `head` and the brace that closes it. */
function block(text: string, head: string): string[] {
  const all = lines(text)
  const begin = all.findIndex((line) => line.startsWith(head) && line.endsWith('{'))
  expect(begin, head).toBeGreaterThanOrEqual(0)
  let depth = 0
  const end = all.findIndex((line, at) => {
    if (at < begin) return false
    if (line.endsWith('{')) depth += 1
    if (line.endsWith('}')) depth -= 1
    return depth === 0
  })
  return all.slice(begin + 1, end)
}
const upstreamsOf = (text: string) => lines(text).filter((line) => /^(?:proxy_pass|reverse_proxy) /.test(line))

describe.each([
  ['nginx', nginx],
  ['caddy', caddy],
] as const)('%s', (_, render) => {
  test('on one host: names to the authority, the rest to the relay', () => {
    expect(upstreamsOf(render())).toHaveLength(2)
    expect(render({ relayUpstream: '[::1]:7000' })).toContain('[::1]:7000')
  })

  test('on two hosts: both, and the document on the host of the relay', () => {
    expect(upstreamsOf(render(SPLIT))).toHaveLength(3)
    expect(upstreamsOf(render({ placement: 'split' }))).toHaveLength(1)
  })

  test('every way inward sets the address anew', () => {
    const texts = [render(), render(SPLIT)]
    for (const text of texts)
      for (const header of ['X-Real-IP', 'X-Forwarded-For', 'Forwarded'])
        expect(lines(text).filter((line) => line.includes(` ${header} `) || line.endsWith(`-${header}`))).toHaveLength(
          upstreamsOf(text).length,
        )
  })

  test('ends idle connections before the authority does', () => {
    const [, seconds] = /keepalive(?:_timeout)? (\d+)s/.exec(render()) ?? []
    expect(Number(seconds)).toBe(60)
  })

  test('every brace is closed', () => {
    for (const text of [render(), render(SPLIT), render({ placement: 'split' })])
      expect(text.split('{').length).toBe(text.split('}').length)
  })

  test('names of other scripts are written as name servers know them', () => {
    const text = render({ domain: 'Bücher.Example.', baseUrl: 'https://Bücher.Example' })
    expect(text).toContain('xn--bcher-kva.example')
    expect(text).not.toMatch(/ü|Example\b/)
  })

  test('the public port of the authority is listened to, and port 80 only beside 443', () => {
    const text = render({ baseUrl: 'https://names.example:8443' })
    expect(text).toMatch(/listen 8443 ssl;|names\.example:8443 \{/)
    expect(text).not.toMatch(/listen (?:\[::\]:)?80;|^http:/m)
  })

  test.each([
    ['everywhere', { host: '0.0.0.0', port: 8191 }, '127.0.0.1:8191'],
    ['everywhere, IPv6 too', { host: '::', port: 8191 }, '[::1]:8191'],
    ['elsewhere', { host: 'names.internal', port: 80 }, 'names.internal:80'],
  ])('an authority that listens %s is reached', (_what, bind, at) => expect(render({ bind })).toContain(` ${at}`))
})

test('nginx passes the paths of the authority by one pattern', () => {
  const [, pattern = ''] = /location ~ (\S+) \{/.exec(nginx()) ?? []
  const isOurs = (path: string) => new RegExp(pattern).test(path)
  for (const path of [
    '/.well-known/nostr.json',
    '/.well-known/nostr.json/',
    '/.well-known/nostr.json/x',
    '/api/',
    '/api/v1/name/a',
  ])
    expect(isOurs(path), path).toBe(true)
  for (const path of [
    '/',
    '/api',
    '/apis',
    '/.well-known/nostr.jsonx',
    '/.well-known/nostrxjson',
    '/x/api/v1',
    '/health',
  ])
    expect(isOurs(path), path).toBe(false)
})

test('nginx listens on IPv4 and IPv6, with certificates where certbot puts them', () => {
  expect(lines(nginx())).toEqual(
    expect.arrayContaining([
      'listen 443 ssl;',
      'listen [::]:443 ssl;',
      'ssl_certificate /etc/letsencrypt/live/names.example/fullchain.pem;',
      'ssl_certificate_key /etc/letsencrypt/live/names.example/privkey.pem;',
    ]),
  )
  const own = nginx({ certificate: { chain: '/etc/ssl/names.pem', key: '/etc/ssl/names.key' }, listen: '192.0.2.7' })
  expect(own).toContain('ssl_certificate /etc/ssl/names.pem;')
  expect(own).not.toMatch(/letsencrypt|certbot|\[::\]/)
  expect(own).toContain('listen 192.0.2.7:443 ssl;')
})

test('Caddy takes the paths of the authority, and of the host of the relay the document alone', () => {
  expect(block(caddy(), 'names.example')).toContain(
    '@names path /.well-known/nostr.json /.well-known/nostr.json/* /api/*',
  )
  const relay = block(caddy(SPLIT), 'relay.example')
  expect(relay.slice(0, 4)).toEqual(['@read {', 'method GET HEAD OPTIONS', 'path /.well-known/nostr.json', '}'])
  expect(block(caddy(SPLIT), 'handle /api/*').at(-1)).toBe('respond `{"error":"not found"}` 404')
  expect(relay.filter((line) => line.startsWith('reverse_proxy 127.0.0.1:8191'))).toHaveLength(1)
})

test('Caddy compresses the authority and caps what is sent to it, and leaves the relay as it is', () => {
  const handled = block(caddy(), 'handle @names')
  expect(handled).toEqual(expect.arrayContaining(['encode gzip', 'max_size 16KiB', 'keepalive 60s']))
  expect(block(caddy(), 'handle {').join('\n')).not.toMatch(/encode|max_size/)
})

describe('what would be read as something else is refused', () => {
  const refused = (over: Partial<ProxyOptions>) => () => nginx({ ...SPLIT, ...over })

  test.each<[string, Partial<ProxyOptions>]>([
    ['a domain that ends its line', { domain: 'a.example; return 200 x' }],
    ['a domain with a line break', { domain: 'a.example\nevil {}' }],
    ['a domain with an underscore', { domain: 'a_b.example' }],
    ['a domain with a brace', { domain: 'a.example{' }],
    ['a domain with a variable', { domain: '$host' }],
    ['a domain with a placeholder', { domain: '{env.PATH}' }],
    ['a wildcard', { domain: '*.example' }],
    ['no domain', { domain: '' }],
    ['a label that begins with a hyphen', { domain: '-a.example' }],
    ['a label of 64 letters', { domain: `${'a'.repeat(64)}.example` }],
    ["a relay's host with a blank", { relayHost: 'relay.example other.example' }],
    ["a relay's host that is the authority's", { relayHost: 'NAMES.example.' }],
    ['an upstream with a second directive', { relayUpstream: '127.0.0.1:7777; include /etc/passwd' }],
    ['an upstream without a port', { relayUpstream: '127.0.0.1' }],
    ['an upstream with an address', { relayUpstream: 'http://127.0.0.1:7777' }],
    ['an upstream with port 0', { relayUpstream: '127.0.0.1:0' }],
    ['an upstream with a port too high', { relayUpstream: '127.0.0.1:65536' }],
    ['an upstream that is no IPv6', { relayUpstream: '[1:2]:80' }],
    ['a free port of the authority', { bind: { host: '127.0.0.1', port: 0 } }],
    ['a base address with a path', { baseUrl: 'https://names.example/x' }],
    ['a base address without TLS', { baseUrl: 'http://127.0.0.1:8191' }],
    ['an address to listen on that is a name', { listen: 'names.example' }],
    ['an address to listen on with a zone', { listen: 'fe80::1%eth0;' }],
    ['a certificate with a blank in its path', { certificate: { chain: '/a b', key: '/k' } }],
    ['a key with a quote in its path', { certificate: { chain: '/a', key: '/k";' } }],
    ['a relative path', { certificate: { chain: 'a.pem', key: '/k' } }],
    ['a trusted proxy with a line break', { trustedProxies: ['::1\nevil'] }],
  ])('%s', (_, over) => {
    expect(refused(over)).toThrow('cannot configure a proxy')
  })

  test('nothing that is said makes another line', () => {
    const count = lines(caddy(SPLIT)).length
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('domain', 'relayHost', 'relayUpstream'),
        (text, where) => {
          try {
            return lines(caddy({ ...SPLIT, [where]: text })).length === count
          } catch (error) {
            return error instanceof Error && error.message.startsWith('cannot configure a proxy')
          }
        },
      ),
    )
  })
})
