import { expect, test } from 'vitest'
import { openEnvironment } from '../../../src/config/index.js'
import { nameauthFinalText } from '../../../src/wizard/nameauth/final-text.js'
import { targetOf, usualTarget } from '../../../src/wizard/nameauth/places.js'

const settings = new Map([
  ['NAMEAUTH_DOMAIN', 'names.example'],
  ['NAMEAUTH_BASE_URL', 'https://names.example'],
  ['NAMEAUTH_NAMES_BIND', '127.0.0.1:8191'],
])
const machine = usualTarget(openEnvironment({ variables: {} }), () => true)
const lines = (over: Partial<Parameters<typeof nameauthFinalText>[0]>) =>
  nameauthFinalText({ target: machine, settings, needs: [], isChange: false, ...over }).split('\n')

test('on the machine, systemd starts it; after a change, it restarts it', () => {
  expect(lines({}).slice(0, 3)).toEqual([
    'Start:',
    '  systemctl daemon-reload',
    '  systemctl enable --now grinpay-nameauth',
  ])
  expect(lines({ isChange: true })).toContain('  systemctl restart grinpay-nameauth')
})

test('elsewhere it is started by hand, with its file', () => {
  expect(lines({ target: targetOf('/srv/my.env') })).toContain('  grinpay serve nameauth --env-file /srv/my.env')
})

test('what others have to do comes first, with commands on lines of their own', () => {
  expect(lines({ needs: ['a user, once:\nadduser x'] }).slice(0, 3)).toEqual([
    'First:',
    '  a user, once:',
    '  adduser x',
  ])
})

test('the configuration of the proxy is a command away, with the file of settings unless it is the usual one', () => {
  expect(lines({})).toContain('  grinpay config proxy caddy')
  expect(lines({ target: targetOf('/srv/my.env') })).toContain('  grinpay config proxy nginx --env-file /srv/my.env')
})
