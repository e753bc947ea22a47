import { expect, test } from 'vitest'
import { hostPort, localHostPort } from '../../src/lib/host-port.js'

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
