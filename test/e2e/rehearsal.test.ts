// The rehearsal of docs/quickstart.md, line by line as it is printed: nginx, a certificate of one's own, relay, till, sandbox. It runs
// in a network, a process table and an /etc/hosts of its own, so that ports 80 and 443 are free and nothing of it stays.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cleanEnvironment, ROOT } from '../support/till-process.js'

const NAMESPACES = ['--mount', '--net', '--pid', '--fork', '--mount-proc', '--kill-child']
const hasAll = (): boolean =>
  ['nginx', 'openssl', 'ip', 'curl'].every((name) => spawnSync('bash', ['-c', `command -v ${name}`]).status === 0) &&
  spawnSync('unshare', [...NAMESPACES, 'true']).status === 0

const folder = mkdtempSync(join(tmpdir(), 'grinpay-rehearsal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Every command of the section, in order. */
function printedCommands(): readonly string[] {
  const page = readFileSync(join(ROOT, 'docs', 'quickstart.md'), 'utf8')
  const [section = ''] = page.split('## Rehearse it with play money')[1]?.split('### The same under systemd') ?? []
  return [...section.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
}

/** Runs the text in a shell of its own world; `grinpay` is the built one. */
function run(text: string) {
  const [bin, hosts, room] = [join(folder, 'bin'), join(folder, 'hosts'), join(folder, 'room')]
  for (const path of [bin, room]) mkdirSync(path)
  writeFileSync(join(bin, 'grinpay'), `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/run.js')}' "$@"\n`)
  chmodSync(join(bin, 'grinpay'), 0o755)
  copyFileSync('/etc/hosts', hosts)
  const script = join(folder, 'script')
  writeFileSync(script, `set -e\nip link set lo up\nmount --bind ${hosts} /etc/hosts\ncd ${room}\n${text}`)
  const PATH = `${bin}:${process.env.PATH}`
  const env = { ...cleanEnvironment({ HOME: room }), PATH }
  return spawnSync('unshare', [...NAMESPACES, 'bash', script], { encoding: 'utf8', env, timeout: 280_000 })
}

test.skipIf(!hasAll())(
  'the rehearsal works as it is printed (needs root, nginx, openssl, curl)',
  () => {
    const blocks = printedCommands()
    expect(blocks).toHaveLength(5)
    const { status, stdout, stderr } = run(blocks.join('\n'))
    expect({ status, stderr: stderr.slice(-1500) }).toMatchObject({ status: 0 })
    expect(stdout).toContain('SANDBOX paid over nostr')
    expect(stdout).toContain('SANDBOX paid over slatepack')
    expect(stdout.match(/^confirmed$/gm)?.length).toBeGreaterThanOrEqual(2)
    expect(stderr).toContain('testnet: coins without value')
    expect(readFileSync(join(folder, 'hosts'), 'utf8')).not.toContain('shop.example')
    expect(execFileSync('ls', [join(folder, 'room')], { encoding: 'utf8' }).trim()).toBe('rehearsal')
  },
  300_000,
)
