// The systemd unit of the relay: what it starts, and what systemd itself says of it.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { relayUnit } from '../../../src/wizard/relay/plan.js'
import { renderService } from '../../../src/wizard/services/index.js'
import { temporaryFolder } from '../../support/temporary-store.js'

const PROGRAM = { node: process.execPath, script: '/opt/grinpay/bin/run.js', root: '/opt/grinpay' }
const CREDENTIAL = { name: 'relay_pay_api_token', path: '/etc/grinpay/relay/secrets/api_token' }
const unitOf = (values?: ReadonlyMap<string, string>) =>
  renderService(relayUnit('/etc/grinpay/relay.toml', PROGRAM, values))
const unit = unitOf()
const paid = unitOf(new Map([['pay.api_token_file', CREDENTIAL.path]]))
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test('every directive stands on a line of its own', () => {
  for (const line of `${unit}\n${paid}`.split('\n')) expect(line).toMatch(/^(#.*|\[\w+\]|[A-Za-z]+=.*|)$/)
})

test('it starts the relay on its file and folder, reloads it with a signal, and takes many connections', () => {
  expect(unit).toContain('serve relay --settings /etc/grinpay/relay.toml --db %S/grinpay-relay\n')
  expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m)
  expect(unit).toMatch(/^LimitNOFILE=65536$/m)
})

test('secrets are handed over under the name that the relay looks for', () => {
  expect(paid.split('\n')).toContain(`LoadCredential=${CREDENTIAL.name}:${CREDENTIAL.path}`)
  expect(unit).not.toContain('LoadCredential')
})

test.skipIf(!hasSystemd)('systemd rates its exposure at most 1.5 (needs systemd-analyze)', () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const path = join(folder, 'grinpay-relay.service')
  writeFileSync(path, unit)
  const { stdout, status } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', path], {
    encoding: 'utf8',
  })
  expect({ status, verdict: stdout.trim().split('\n').at(-1) }).toMatchObject({ status: 0 })
})
