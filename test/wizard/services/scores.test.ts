// What systemd itself says of every unit that can be rendered: nothing wrong, and how far each is open; the page of the services has the figures.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { unitFiles } from '../../../src/wizard/index.js'
import type { UnitOptions } from '../../../src/wizard/services/unit-files.js'
import { expectSection } from '../../support/page-section.js'

/** Figures are of this one; others may weigh differently, and the bar is for all. */
const MEASURED_WITH = '252'
const MOST = 1.5
const found = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' })
const version = /^systemd (\d+)/.exec(found.stdout ?? '')?.[1]

const PROGRAM = { node: process.execPath, script: '/opt/grinpay/bin/run.js', root: '/opt/grinpay' }
const DAEMONS = ['pay', 'nameauth', 'relay'] as const
const OWN = { pay: '/var/lib/grinpay', nameauth: '/var/lib/grinpay-nameauth', relay: '/var/lib/grinpay-relay' }
const SECRET = { pay: 'PAY_API_TOKEN', nameauth: 'NAMEAUTH_PAY_TOKEN', relay: 'RELAY_PAY_API_TOKEN' }

/** Each way in which the units of a daemon differ. */
const VARIANTS: readonly (readonly [what: string, over: (daemon: (typeof DAEMONS)[number]) => Partial<UnitOptions>])[] =
  [
    ['as usual', () => ({})],
    ['with a socket', () => ({ hasSocket: true })],
    ['with secrets', (daemon) => ({ secretFile: (name) => (name === SECRET[daemon] ? '/etc/hostname' : undefined) })],
    [
      'with sealed secrets',
      (daemon) => ({ secretFile: (name) => (name === SECRET[daemon] ? '/etc/x.cred' : undefined) }),
    ],
    ['with data outside of /var/lib', () => ({ folders: ['/srv/grinpay'] })],
    ['with tor', (daemon) => ({ usesTor: daemon === 'pay' })],
  ]

interface Score {
  readonly name: string
  readonly score: string
}

/** Writes the units, has systemd look at them, and answers the scores of the services among them. */
function judged(daemon: (typeof DAEMONS)[number], over: Partial<UnitOptions>): readonly Score[] {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-units-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { files } = unitFiles({
    ...{ daemon, program: PROGRAM, settingsFile: `/etc/grinpay/${daemon}.env`, environmentFiles: [] },
    ...{ folders: [OWN[daemon]], bind: { host: '127.0.0.1', port: 8080 }, secretFile: () => undefined },
    ...{ usesTor: false, hasSocket: false, hasBackup: true, unitDir: folder, ...over },
  })
  for (const { path, text } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const units = files.map(({ path }) => path).filter((path) => !path.endsWith('.conf'))
  const verified = spawnSync('systemd-analyze', ['verify', ...units], {
    encoding: 'utf8',
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
  })
  expect({ status: verified.status, said: verified.stderr }).toEqual({ status: 0, said: '' })
  expect(readdirSync(folder).length).toBeGreaterThan(3)
  return units.filter((path) => path.endsWith('.service')).map(scoreOf)
}

function scoreOf(path: string): Score {
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' })
  const [, score = 'none'] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? []
  return { name: basename(path), score }
}

test.skipIf(version === undefined)(
  'systemd finds nothing wrong with any unit, and rates each at most 1.5 (needs systemd-analyze)',
  () => {
    const rows = new Map<string, string[]>()
    for (const daemon of DAEMONS)
      for (const [what, over] of VARIANTS)
        for (const { name, score } of judged(daemon, over(daemon))) {
          expect({ name, what, isClosed: Number(score) <= MOST }).toEqual({ name, what, isClosed: true })
          rows.set(name, [...(rows.get(name) ?? []), score])
        }
    if (version !== MEASURED_WITH) return
    const lines = [...rows].map(([name, scores]) => `| \`${name}\` | ${scores.join(' | ')} |`)
    const head = `| Unit | ${VARIANTS.map(([what]) => what).join(' | ')} |\n|---|${VARIANTS.map(() => '---|').join('')}`
    expectSection('docs/services.md', 'exposure', [head, ...lines].join('\n'))
  },
  120_000,
)
