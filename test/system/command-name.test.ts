import { expect, test } from 'vitest'
import { commandName } from '../../src/system/index.js'

test.each([
  ['/usr/local/bin:/usr/bin', '/usr/bin/grinpay', 'grinpay'],
  ['/usr/local/bin:/usr/bin', '/opt/grinpay', 'npx grinpay'],
  ['/home/me/grinpay/node_modules/.bin:/usr/bin', '/home/me/grinpay/node_modules/.bin/grinpay', 'npx grinpay'],
  ['/home/me/.npm/_npx/5f/bin:/usr/bin', '/home/me/.npm/_npx/5f/bin/grinpay', 'npx grinpay'],
  ['', '/grinpay', 'npx grinpay'],
])('with PATH=%s and a program at %s it is "%s"', (path, program, name) => {
  expect(commandName(path, (one) => one === program)).toBe(name)
})
