// The systemd unit of the name authority: what systemd itself says of it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nameauthPlaces, tillPlaces } from '../../../src/system/index.js'
import { namesUnit } from '../../../src/wizard/nameauth/plan.js'
import { tillUnit } from '../../../src/wizard/pay/unit.js'
import { renderService, userNeeds } from '../../../src/wizard/services/index.js'

const PROGRAM = { node: process.execPath, script: '/opt/grinpay/bin/run.js', root: '/opt/grinpay' }
const settingsOf = (over: Record<string, string> = {}) =>
  new Map(Object.entries({ NAMEAUTH_NAMES_DB: '/var/lib/grinpay-nameauth/names.db', ...over }))
const partsOf = (over?: Record<string, string>) => namesUnit(nameauthPlaces(), PROGRAM, settingsOf(over))
const unitOf = (over?: Record<string, string>) => renderService(partsOf(over))

const ELSEWHERE = { NAMEAUTH_NAMES_DB: '/srv/names/names.db' }
const PAID = {
  NAMEAUTH_PAY_TOKEN_FILE: '/etc/grinpay/nameauth/secrets/pay_token',
  NAMEAUTH_PAY_WEBHOOK_SECRET_FILE: '/etc/grinpay/nameauth/secrets/pay_webhook_secret',
}
const UNITS = [
  ['as usual', unitOf()],
  ['with secrets', unitOf(PAID)],
  ['with a database elsewhere', unitOf(ELSEWHERE)],
] as const
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.each(UNITS)('%s, every directive stands on a line of its own', (_what, unit) => {
  for (const line of unit.split('\n')) expect(line).toMatch(/^(#.*|\[\w+\]|[A-Za-z]+=.*|)$/)
})

test('it starts our program with the settings, as its own user', () => {
  const unit = unitOf().split('\n')
  for (const line of [
    `ExecStart=${process.execPath} /opt/grinpay/bin/run.js serve nameauth --settings \${CREDENTIALS_DIRECTORY}/nameauth.env`,
    'LoadCredential=nameauth.env:/etc/grinpay/nameauth.env',
    'Type=notify',
    'DynamicUser=yes',
    'StateDirectory=grinpay-nameauth',
    'StartLimitIntervalSec=0',
  ])
    expect(unit).toContain(line)
  expect(unitOf()).not.toContain('LoadCredential=nameauth_')
})

test('secrets that only root can read come as credentials, under the names that the settings are looked for', () => {
  const unit = unitOf(PAID).split('\n')
  expect(unit).toContain(`LoadCredential=nameauth_pay_token:${PAID.NAMEAUTH_PAY_TOKEN_FILE}`)
  expect(unit).toContain(`LoadCredential=nameauth_pay_webhook_secret:${PAID.NAMEAUTH_PAY_WEBHOOK_SECRET_FILE}`)
})

test('a database outside of /var/lib belongs to a user who stays, and who has to be made', () => {
  const unit = unitOf(ELSEWHERE)
  expect(unit).not.toContain('DynamicUser')
  expect(unit).toContain('\nUser=grinpay-nameauth\nReadWritePaths=/srv/names\n')
  expect(userNeeds(partsOf(ELSEWHERE)).join()).toContain('chown -R grinpay-nameauth: /srv/names')
  expect(userNeeds(partsOf())).toEqual([])
})

test('it is as closed as the unit of the till', () => {
  const hardening = (unit: string) => unit.split('CapabilityBoundingSet=')[1]?.split('# As written')[0]
  expect(hardening(unitOf())).toBe(hardening(renderService(tillUnit(tillPlaces(), PROGRAM, false))))
})

test.skipIf(!hasSystemd).each(UNITS)(
  'systemd rates its exposure at most 1.5 %s (needs systemd-analyze)',
  (_what, unit) => {
    const folder = mkdtempSync(join(tmpdir(), 'grinpay-unit-'))
    const path = join(folder, 'grinpay-nameauth.service')
    writeFileSync(path, unit)
    const { stdout, status } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', path], {
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    expect({ status, verdict: stdout.trim().split('\n').at(-1) }).toMatchObject({ status: 0 })
  },
)
