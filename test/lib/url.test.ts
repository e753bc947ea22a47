import { expect, test } from 'vitest'
import { hostPort, localHostPort, originForm, parseUrl } from '../../src/lib/url.js'

test('an address with letters beyond ASCII is parsed however often it is asked for', () => {
  let refused = 0
  for (let round = 0; round < 20_000; round++) if (parseUrl('https://bücher.example/') === undefined) refused += 1
  expect(refused).toBe(0)
  expect(parseUrl('https://bücher.example/')?.hostname).toBe('xn--bcher-kva.example')
})

test('what is no address is undefined, never an error', () => {
  for (const text of ['', 'bücher', 'https://', 'https://[', 'http://a b/']) expect(parseUrl(text)).toBeUndefined()
})

test.each([
  ['127.0.0.1', '127.0.0.1:80'],
  ['till.example', 'till.example:80'],
  ['::1', '[::1]:80'],
])('%s is written %s', (host, text) => expect(hostPort(host, 80)).toBe(text))

test.each([
  ['0.0.0.0', '127.0.0.1:80'],
  ['::', '[::1]:80'],
  ['192.0.2.7', '192.0.2.7:80'],
  ['2001:db8::7', '[2001:db8::7]:80'],
])('what listens on %s is reached at %s', (host, text) => expect(localHostPort(host, 80)).toBe(text))

test.each([
  ['/a/b?c=d', '/a/b?c=d'],
  ['/', '/'],
  ['//x', '//x'],
  ['http://relay.example/a?b', '/a?b'],
  ['HTTPS://relay.example:443/', '/'],
  ['http://relay.example', '/'],
  ['http://relay.example?b', '/?b'],
  ['http://relay.example//x', '//x'],
  ['ftp://relay.example/a', 'ftp://relay.example/a'],
  ['*', '*'],
  ['', ''],
])('the path and query of %j are %j', (target, expected) => expect(originForm(target)).toBe(expected))
