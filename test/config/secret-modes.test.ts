import { expect, test } from 'vitest'
import { openEnvironment, readPayValues } from '../../src/config/index.js'
import { noticeLine } from '../../src/lib/notice-line.js'

const noticesOf = (variables: Record<string, string>, mode: number, envText?: string): readonly string[] => {
  const readFile = (path: string) => (path === '/pay.env' && envText !== undefined ? envText : 'pay_live_xxxxxxxx')
  const envFile = envText === undefined ? undefined : '/pay.env'
  return readPayValues(openEnvironment({ variables, envFile, readFile, modeOf: () => mode })).notices.map(noticeLine)
}
const FILE = { PAY_API_TOKEN_FILE: '/s/token' }

test('a secret that its owner alone reads needs no word', () => {
  expect(noticesOf(FILE, 0o600)).toEqual([])
  expect(noticesOf(FILE, 0o400)).toEqual([])
})

test.each([
  [0o640, 'PAY_API_TOKEN is in /s/token, which its group can read (mode 0640): chmod 600 /s/token'],
  [0o644, 'PAY_API_TOKEN is in /s/token, which everybody on this machine can read (mode 0644): chmod 600 /s/token'],
])('mode %o is reported with its remedy', (mode, notice) => {
  expect(noticesOf(FILE, mode)).toEqual([notice])
})

test('systemd and a container’s manager choose the modes of theirs', () => {
  expect(noticesOf({ PAY_API_TOKEN_FILE: '/run/secrets/token' }, 0o444)).toEqual([])
  expect(noticesOf({ CREDENTIALS_DIRECTORY: '/run/credentials/x' }, 0o444)).not.toContain('chmod')
})

test('an env file may be its group’s, and not everybody’s', () => {
  expect(noticesOf({}, 0o640, 'PAY_API_TOKEN=x')).toEqual([])
  expect(noticesOf({}, 0o644, 'PAY_API_TOKEN=x').join()).toContain('chmod 640 /pay.env')
  expect(noticesOf({}, 0o644, 'PAY_BIND=127.0.0.1:80')).toEqual([])
})
