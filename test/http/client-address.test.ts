import { describe, expect, test } from 'vitest'
import { createClientAddress } from '../../src/http/index.js'
import { canonicalNetwork, clientKey } from '../../src/lib/ip-network.js'

const asked = (peer: string, forwarded?: string) => ({
  socket: { remoteAddress: peer },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
})
const behindProxy = createClientAddress(['127.0.0.1', '10.1.0.0/16', 'fd00::/8'])

describe('the client is', () => {
  test('the peer when nothing is forwarded', () => {
    expect(behindProxy(asked('127.0.0.1'))).toBe('127.0.0.1')
  })
  test.each(['127.0.0.1', '::ffff:127.0.0.1', '10.1.255.255', 'fd12::1'])(
    'the last forwarded entry when the peer %s is trusted',
    (peer) => expect(behindProxy(asked(peer, '6.6.6.6, 203.0.113.9'))).toBe('203.0.113.9'),
  )
  test.each(['198.51.100.1', '10.2.0.1', '127.0.0.2', 'fe80::1'])('the peer when %s is not trusted', (peer) => {
    expect(behindProxy(asked(peer, '203.0.113.9'))).toBe(peer)
  })
  test('the peer when no proxy is trusted', () => {
    expect(createClientAddress([])(asked('127.0.0.1', '203.0.113.9'))).toBe('127.0.0.1')
  })
  test.each([
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
  ])('read from %s without port', (entry, address) => {
    expect(behindProxy(asked('127.0.0.1', entry))).toBe(address)
  })
  test.each(['', 'unknown', '203.0.113.9,', 'evil"<script>', '999.1.1.1'])('the peer when the proxy says %j', (entry) =>
    expect(behindProxy(asked('127.0.0.1', entry))).toBe('127.0.0.1'),
  )
})

describe('through several proxies the client is', () => {
  test.each([
    ['6.6.6.6, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['203.0.113.9, 10.1.2.3, fd00::9, ::ffff:10.1.0.1', '203.0.113.9'],
    ['10.1.2.3, 10.1.2.4', '10.1.2.3'],
    ['203.0.113.9, unknown, 10.1.2.3', '10.1.2.3'],
    ['10.1.2.3, 2001:0DB8:0:0::7, 10.1.2.4', '2001:db8::7'],
  ])('the rightmost address that is no trusted proxy: %s', (forwarded, client) => {
    expect(behindProxy(asked('127.0.0.1', forwarded))).toBe(client)
  })
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:0db8:0::1', '2001:db8::1'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['203.0.113.9/32', '203.0.113.9'],
  ['203.0.113.9/24', '203.0.113.0/24'],
  ['203.0.113.255/25', '203.0.113.128/25'],
  ['::ffff:203.0.113.9/120', '203.0.113.0/24'],
  ['2001:DB8:0:ffff::1/50', '2001:db8:0:c000::/50'],
  ['::/0', '::/0'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['203.0.113.9/33', undefined],
  ['::ffff:203.0.113.9/95', undefined],
  ['fe80::1%eth0', undefined],
  ['203.0.113.9/', undefined],
  ['203.0.113.9/8/8', undefined],
])('the network %s is spelled %s', (written, spelled) => expect(canonicalNetwork(written)).toBe(spelled))

test.each(['localhost', '10.0.0.0/33', '::1/129', '10.0.0.0/-1', '', '10.0.0/8'])(
  'the setting %j is refused by name',
  (entry) => expect(() => createClientAddress([entry])).toThrow(`not an address or network: "${entry}"`),
)

describe('behind a proxy that sets X-Real-IP', () => {
  const realIp = createClientAddress(['127.0.0.0/8', '::1'], 'x-real-ip')
  const from = (remoteAddress: string, headers: Record<string, string>) =>
    realIp({ socket: { remoteAddress }, headers })

  test.each([
    ['127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['::1', '2001:db8::1', '2001:db8::1'],
    ['::ffff:127.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
    ['198.51.100.2', '203.0.113.7', '198.51.100.2'],
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.7; drop', '127.0.0.1'],
  ])('a peer %s that says %j is %s', (peer, realIp, address) => {
    expect(from(peer, { 'x-real-ip': realIp })).toBe(address)
  })

  test('X-Forwarded-For and Forwarded are not looked at', () => {
    expect(from('127.0.0.1', { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' })).toBe('127.0.0.1')
  })

  test('peers are distinguished even when they alternate', () => {
    const headers = { 'x-real-ip': '203.0.113.7' }
    expect(['127.0.0.1', '198.51.100.2', '127.0.0.1'].map((peer) => from(peer, headers))).toEqual([
      '203.0.113.7',
      '198.51.100.2',
      '203.0.113.7',
    ])
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (address, key) => {
  expect(clientKey(address)).toBe(key)
})
