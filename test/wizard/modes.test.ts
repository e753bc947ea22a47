// Who can read what a setup writes: modes of all of it, and real users of the machine who try.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openEnvironment } from '../../src/config/index.js'
import { systemRandom, tillPlaces } from '../../src/system/index.js'
import { setupNameauth, setupPay, setupRelay } from '../../src/wizard/index.js'
import { newTokens } from '../../src/wizard/pay/material.js'
import { planSetup } from '../../src/wizard/pay/plan.js'

const CHEAP = { N: 2 ** 14, r: 8, p: 1 }
const PROGRAM = { node: '/usr/bin/node', script: '/opt/grinpay/bin/run.js', root: '/opt/grinpay' }
const quiet = { dryRun: false, reconfigure: false, skipChecks: true, program: PROGRAM, terminal: undefined }
const mute = { say: () => undefined, tell: () => undefined, width: undefined }
const surroundings = openEnvironment({ variables: {} })

let root: string
const at = (...parts: readonly string[]) => join(root, ...parts)

/** All three on one machine, below one folder; the relay had a secret among its settings. */
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'grinpay-modes-'))
  chmodSync(root, 0o755)
  mkdirSync(at('etc'), { mode: 0o755 }) // as a setup of the whole machine makes it
  const umask = process.umask(0o077) // as root's may be: what must be open is made so all the same
  const token = at('token')
  writeFileSync(token, 'pay_live_open_sesame\n')
  await setupPay({
    ...{ ...quiet, ...mute, prefix: at('etc'), rotateTokens: false, random: systemRandom, sealCost: CHEAP },
    ...{ canShowWords: false, given: { public_url: 'https://pay.example', words_out: at('words') } },
  })
  const names = { domain: 'names.example', pay_mode: 'name', price_grin: '1', pay_url: 'https://pay.example' }
  await setupNameauth({
    ...{ ...quiet, ...mute, prefix: at('etc'), surroundings, isUnattended: true },
    given: { ...names, pay_token_file: token },
  })
  const relay = { ...quiet, ...mute, prefix: at('etc'), surroundings, isUnattended: true }
  const paid = '[pay]\npay_mode = "write"\nurl = "https://pay.example"\napi_token = "pay_live_open_sesame"\n'
  writeFileSync(at('etc', 'relay.toml'), `[info]\nrelay_url = "wss://relay.example"\n${paid}`)
  await setupRelay({ ...relay, reconfigure: true, given: {} })
  process.umask(umask)
  return () => rmSync(root, { recursive: true, force: true })
})

const OPEN = ['755', '644']
/** What others may see: settings of a relay have no secrets, units never have. */
const PUBLIC: readonly RegExp[] = [/^$/, /^relay\.toml$/, /^systemd(\/.*)?$/, /^relay\.(Caddyfile|nginx\.conf)$/]
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)
const everything = () => ['', ...readdirSync(at('etc'), { recursive: true, encoding: 'utf8' })]

test('everything that holds a secret is closed to all but its owner, and everything else is open', () => {
  const modes = everything().map((name) => [name, modeOf(at('etc', name))] as const)
  const open = modes.filter(([name]) => PUBLIC.some((form) => form.test(name)))
  expect(open.filter(([, mode]) => !OPEN.includes(mode))).toEqual([])
  const closed = modes.filter(([name]) => !PUBLIC.some((form) => form.test(name)))
  // The settings of a till may be its group's, which is root's unless an operator gives it away.
  expect(closed.filter(([name, mode]) => !['700', '600', '400'].includes(mode) && name !== 'pay.env')).toEqual([])
  expect(modeOf(at('etc', 'pay.env'))).toBe('640')
  expect(closed.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'data/wallet/seed.json',
      'data/nostr/identity.json',
      'secrets/wallet_password',
      'nameauth/secrets/pay_token',
      'relay/secrets/pay_api_token',
    ]),
  )
})

test('on a whole machine the folder of all settings is open first, whatever lies in it afterwards', () => {
  const places = tillPlaces()
  const { steps } = planSetup({
    ...{ places, machineWide: true, answers: {}, tokens: newTokens(systemRandom), hasSocket: false },
    ...{ sealed: { seed: 'x', identity: 'x' }, request: { program: PROGRAM, rotateTokens: false } },
    secrets: { keeping: 'file', kept: undefined, newWords: undefined },
    found: {
      ...{ hasEnvFile: false, inForce: new Map(), hasWallet: false, hasIdentity: false, keeping: undefined },
      present: {},
    },
  })
  const folders = steps.flatMap((step) => (step.kind === 'directory' ? [`${step.path} ${step.mode.toString(8)}`] : []))
  expect(folders.slice(0, 3)).toEqual(['/etc/grinpay 755', '/var/lib/grinpay 700', '/etc/grinpay/secrets 700'])
})

describe.skipIf(process.getuid?.() !== 0)('users of this machine (only root can become them)', () => {
  const [DAEMON, STRANGER] = [61_001, 65_534]
  /** What this user can read, of all files. */
  function readableBy(uid: number): readonly string[] {
    const files = everything().filter((name) => statSync(at('etc', name)).isFile())
    const program = `const fs=require('node:fs');for(const p of process.argv.slice(1))try{fs.readFileSync(p);console.log(p)}catch{}`
    const paths = files.map((name) => at('etc', name))
    const { stdout } = spawnSync(process.execPath, ['-e', program, ...paths], { uid, gid: uid, encoding: 'utf8' })
    return stdout.split('\n').flatMap((path) => (path === '' ? [] : [path.slice(at('etc').length + 1)]))
  }

  test('a stranger reads units and the settings of the relay, and not one secret', () => {
    const seen = readableBy(STRANGER)
    expect(seen).toEqual(expect.arrayContaining(['relay.toml', 'systemd/grinpay-pay.service']))
    expect(seen.filter((name) => !PUBLIC.some((form) => form.test(name)))).toEqual([])
    const secrets = [
      'pay_live_',
      'pay_admin_',
      'whsec_',
      'sesame',
      readFileSync(at('etc/secrets/wallet_password'), 'utf8'),
    ]
    for (const name of seen)
      for (const secret of secrets) expect(readFileSync(at('etc', name), 'utf8')).not.toContain(secret)
  })

  test("the daemon's user reads its data, which systemd gives it, and no secret of the settings", () => {
    // As StateDirectory= does; the settings and the credentials are read by systemd itself.
    for (const name of [
      'data',
      ...readdirSync(at('etc/data'), { recursive: true, encoding: 'utf8' }).map((one) => join('data', one)),
    ])
      chownSync(at('etc', name), DAEMON, DAEMON)
    const seen = readableBy(DAEMON)
    expect(seen).toEqual(expect.arrayContaining(['data/wallet/seed.json', 'data/nostr/identity.json', 'relay.toml']))
    expect(seen.filter((name) => /secrets|\.env$/.test(name))).toEqual([])
  })
})
