// The systemd unit: what systemd itself says of it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tillPlaces } from '../../../src/system/index.js'
import { renderDropIn, tillUnit } from '../../../src/wizard/pay/unit.js'
import { renderService } from '../../../src/wizard/services/index.js'

const PROGRAM = { node: process.execPath, script: '/opt/grinpay/bin/run.js', root: '/opt/grinpay' }
const unit = renderService(tillUnit(tillPlaces(), PROGRAM, false))
const unitWithTor = renderService(tillUnit(tillPlaces(), PROGRAM, true))
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test('every directive stands on a line of its own', () => {
  for (const line of `${unit}\n${unitWithTor}`.split('\n')) expect(line).toMatch(/^(#.*|\[\w+\]|[A-Za-z]+=.*|)$/)
})

test('the group of tor is joined only for the grin1 rail', () => {
  const isNew = (line: string) => !unit.split('\n').includes(line) && !line.startsWith('# As written')
  const added = unitWithTor.split('\n').filter(isNew)
  expect(added).toEqual([expect.stringMatching(/^# /), 'SupplementaryGroups=debian-tor'])
  expect(unit).not.toContain('SupplementaryGroups')
})

test('secrets that the settings keep in files come as credentials, sealed ones opened', () => {
  const settings = new Map([
    ['PAY_API_TOKEN_FILE', '/etc/grinpay/secrets/api_token'],
    ['PAY_WEBHOOK_SECRET_FILE', '/etc/grinpay/secrets/webhook.cred'],
  ])
  const lines = renderService(tillUnit(tillPlaces(), PROGRAM, false, settings)).split('\n')
  expect(lines).toContain('LoadCredential=pay_api_token:/etc/grinpay/secrets/api_token')
  expect(lines).toContain('LoadCredentialEncrypted=pay_webhook_secret:/etc/grinpay/secrets/webhook.cred')
})

test('readiness comes through the notify program, and a power cut never makes systemd give up', () => {
  expect(unit).toMatch(/^Type=notify$/m)
  expect(unit).toMatch(/^NotifyAccess=all$/m)
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
})

test.each([
  ['credential', 'LoadCredentialEncrypted=pay_wallet_password:/etc/grinpay/secrets/wallet_password.cred'],
  ['file', 'LoadCredential=pay_wallet_password:/etc/grinpay/secrets/wallet_password'],
  ['manual', 'LoadCredential=pay_wallet_password:/run/grinpay/wallet_password'],
] as const)('a password kept as %s reaches the till as its credential', (keeping, directive) => {
  expect(renderDropIn(tillPlaces(), keeping).split('\n')).toContain(directive)
})

test.skipIf(!hasSystemd).each([
  ['with the relays only', unit],
  ['with tor', unitWithTor],
])('systemd rates its exposure at most 1.5 %s (needs systemd-analyze)', (_what, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-unit-'))
  const path = join(folder, 'grinpay-pay.service')
  writeFileSync(path, text)
  const { stdout, status } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', path], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect({ status, verdict: stdout.trim().split('\n').at(-1) }).toMatchObject({ status: 0 })
})
