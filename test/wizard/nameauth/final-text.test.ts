import { expect, test } from 'vitest'
import { openEnvironment } from '../../../src/config/index.js'
import { targetOf, usualTarget } from '../../../src/wizard/nameauth/places.js'
import { nameauthFinalText } from '../../../src/wizard/nameauth/setup.js'
import type { SetupTarget } from '../../../src/wizard/survey.js'

const settings = new Map([
  ['NAMEAUTH_DOMAIN', 'names.example'],
  ['NAMEAUTH_BASE_URL', 'https://names.example'],
  ['NAMEAUTH_NAMES_BIND', '127.0.0.1:8191'],
])
const machine = usualTarget(openEnvironment({ variables: {} }), () => true)
interface Scene {
  readonly target?: SetupTarget
  readonly needs?: readonly string[]
  readonly isChange?: boolean
  readonly proxy?: 'nginx'
}
const lines = ({ target = machine, needs = [], isChange = false, proxy }: Scene) =>
  nameauthFinalText(target, { settings, needs }, isChange, proxy).split('\n')

test('on the machine, systemd starts it; after a change, it restarts it', () => {
  expect(lines({}).slice(0, 3)).toEqual([
    'Start:',
    '  systemctl daemon-reload',
    '  systemctl enable --now grinpay-nameauth',
  ])
  expect(lines({ isChange: true })).toContain('  systemctl restart grinpay-nameauth')
})

test('elsewhere it is started by hand, with its file', () => {
  expect(lines({ target: targetOf('/srv/my.env') })).toContain('  grinpay serve nameauth --settings /srv/my.env')
})

test('what others have to do comes first, with commands on lines of their own', () => {
  expect(lines({ needs: ['a user, once:\nadduser x'] }).slice(0, 3)).toEqual([
    'First:',
    '  a user, once:',
    '  adduser x',
  ])
})

test('the configuration of the proxy is a command away, with the file of settings unless it is the usual one', () => {
  expect(lines({ proxy: 'nginx' }).filter((line) => line.includes('proxy install'))).toEqual([
    '  grinpay proxy install --kind nginx --daemon nameauth',
  ])
  const elsewhere = lines({ target: targetOf('/srv/my.env') })
  for (const kind of ['caddy', 'nginx'])
    expect(elsewhere).toContain(`  grinpay proxy print --kind ${kind} --daemon nameauth --settings /srv/my.env`)
})
