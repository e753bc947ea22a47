// Everything a command may talk to, on this machine: a sandbox (till, name authority, relay, chain) that runs, a till that was set up and
// stopped, and a relay of one's own. What the documentation calls /etc, /var, /srv and /media lies in a folder of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Ran, runHere } from '../../support/built-command.js'
import { cleanEnvironment, freePort, ROOT, startTillProcess, until } from '../../support/till-process.js'

export interface CliWorld {
  readonly home: string
  /** Below the folder that stands for /. */
  place(path: string): string
  /** By their names in the sandbox's own words: till, node, relay, names, checkout. */
  readonly sandbox: Readonly<Record<string, string>>
  readonly nodePort: string
  readonly variables: Readonly<Record<string, string>>
  grinpay(args: readonly string[]): Promise<Ran>
  /** What it draws on a terminal of this width. */
  screen(args: readonly string[], columns: number, variables: Readonly<Record<string, string>>): Promise<string>
  /** What it printed; throws when it did not end with 0. */
  answer(...args: readonly string[]): Promise<string>
  /** A line of sh about this command, with `grinpay` in reach. What is a command and its words needs no shell, and runs in this process. */
  shell(line: string, id: string): Promise<Ran>
  close(): Promise<void>
}

export async function openCliWorld(): Promise<CliWorld> {
  const home = mkdtempSync(join(tmpdir(), 'grinpay-world-'))
  const place = (path: string) => join(home, 'root', path)
  for (const folder of [
    'etc/grinpay',
    'etc/nginx/conf.d',
    'var/backups/grinpay',
    'var/lib/grinpay',
    'srv',
    'media/usb',
  ])
    mkdirSync(place(folder), { recursive: true })
  writePrograms(home)
  const { child, sandboxValues } = await startSandbox(home)
  const variables = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    GRINPAY_URL: sandboxValues.till ?? '',
    NAMEAUTH_ENV_FILE: place('etc/grinpay/nameauth.env'),
    RELAY_CONFIG_FILE: place('etc/grinpay/relay.toml'),
  }
  writeSettings(home, place, sandboxValues)
  const environment = (more: Readonly<Record<string, string>>) =>
    cleanEnvironment({ HOME: home, ...variables, ...more })
  const here = (args: readonly string[], id = args) =>
    runHere(args, { cwd: home, env: environment(tokenFor(id, home)) })
  const world: CliWorld = {
    ...{ home, place, variables, sandbox: sandboxValues, nodePort: new URL(sandboxValues.node ?? '').port },
    grinpay: here,
    screen: async (args, columns, more) =>
      stripVTControlCharacters((await runHere(args, { cwd: home, env: environment(more), columns })).screen),
    async answer(...args) {
      const { stdout, stderr, exit } = await here(args)
      if (exit !== 0) throw new Error(`grinpay ${args.join(' ')}: ${exit}\n${stdout}${stderr}`)
      return stdout.trim()
    },
    async shell(line, id) {
      const words = wordsOf(line)
      return words ? here(words, id.split(' ')) : shell(line, home, environment(tokenFor(id.split(' '), home)))
    },
    async close() {
      child.kill('SIGKILL')
      await new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(null)))
      rmSync(home, { recursive: true, force: true })
    },
  }
  await setUpTill(world)
  await world.answer('relay', 'sync', sandboxValues.relay ?? '', '--dir', 'down')
  cpSync(place('var/lib/relay/relay.db'), place('var/lib/grinpay/relay.db'))
  return world
}

/** Three commands take the token of the shop, all others that of the operator. */
const tokenFor = ([topic, verb = '']: readonly string[], home: string) => ({
  GRINPAY_TOKEN_FILE: join(
    home,
    topic === 'invoice' && ['create', 'show', 'wait'].includes(verb) ? 'api_token' : 'admin_token',
  ),
})

/** `grinpay` is the built command; `strfry` exports an event as the real one does. */
function writePrograms(home: string): void {
  mkdirSync(join(home, 'bin'))
  const programs = {
    grinpay: `exec '${process.execPath}' '${join(ROOT, 'bin/run.js')}' "$@"`,
    strfry: `cat '${join(home, 'events.jsonl')}'`,
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(home, 'bin', name), 0o755)
  }
}

/** Two worlds that begin at once may both find the usual ports free. */
async function startSandbox(home: string): ReturnType<typeof startOnce> {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(home)
    } catch (error) {
      if (tries === 3 || !String(error).includes('the address is in use')) throw error
    }
  }
}

/** Ends its story first: an invoice is confirmed, and a name resolves. */
async function startOnce(home: string): Promise<{ child: ChildProcess; sandboxValues: Record<string, string> }> {
  const ports = ['--port', '0', '--node-port', '0']
  const folder = ['--data-dir', join(home, 'sandbox')]
  const child = spawn(
    process.execPath,
    [join(ROOT, 'bin/run.js'), 'sandbox', '--block-every', '300ms', ...ports, ...folder],
    { env: cleanEnvironment({ HOME: home }), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  await until(() => /SANDBOX +document /.test(text), { child, output: () => text })
  const sandboxValues: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/SANDBOX +([a-zA-Z ]+?) {2,}(\S+)/g))
    sandboxValues[name] ??= value
  return { child, sandboxValues }
}

/** Lets everything go that is older than ten years, but for one author. */
const RETENTION = `[retention]\npersist_days = 3650\nmax_events = 1000000\nmax_bytes = 1000000000\nkinds = [1]\nwhitelist_addresses = ["${'a1'.repeat(32)}"]`

function writeSettings(home: string, place: CliWorld['place'], sandboxValues: Readonly<Record<string, string>>): void {
  const secret = (path: string, text: string) => writeFileSync(path, `${text}\n`, { mode: 0o600 })
  secret(join(home, 'admin_token'), sandboxValues['admin token'] ?? '')
  secret(join(home, 'api_token'), sandboxValues['API token'] ?? '')
  secret(
    place('etc/grinpay/nameauth.env'),
    `NAMEAUTH_DOMAIN=sandbox.example\nNAMEAUTH_NAMES_DB=${join(home, 'sandbox/names.db')}`,
  )
  secret(place('etc/grinpay/relay-policy.env'), 'RELAY_ALLOWED_KINDS=0,1,1059')
  secret(
    place('etc/grinpay/relay.toml'),
    `[info]\nrelay_url = "wss://relay.sandbox.example"\n[network]\nport = 1\n[database]\ndata_directory = "${place('var/lib/relay')}"\n${RETENTION}`,
  )
}

/** Made by setup, started once so that there is a database, and stopped. */
async function setUpTill(world: CliWorld): Promise<void> {
  const { home, place, sandbox } = world
  const bind = `127.0.0.1:${await freePort()}`
  const answers = { public_url: 'https://pay.myshop.example', bind, node_url: new URL(sandbox.node ?? '').origin }
  writeFileSync(join(home, 'answers.json'), JSON.stringify({ ...answers, words_out: join(home, 'words.txt') }))
  const prefix = join(home, '.grinpay')
  await world.answer('setup', 'pay', '--prefix', prefix, '--answers', 'answers.json', '--yes', '--skip-checks')
  cpSync(join(prefix, 'pay.env'), place('etc/grinpay/pay.env'))
  appendFileSync(join(prefix, 'pay.env'), `PAY_CONSOLE=on\nPAY_CONSOLE_BIND=127.0.0.1:${await freePort()}\n`)
  writeFileSync(join(home, 'pw'), readFileSync(join(prefix, 'secrets/wallet_password')), { mode: 0o600 })
  const till = await startTillProcess({ HOME: home, PAY_BIND: bind }, ['--settings', join(prefix, 'pay.env')])
  await till.stop()
}

/** Of a line that is one command, without anything that sh reads in its own way. */
function wordsOf(line: string): readonly string[] | undefined {
  const [program, ...words] = line.match(/"[^"]*"(?=\s|$)|'[^']*'(?=\s|$)|[^\s"']+(?=\s|$)/g) ?? []
  const isWhole = [program, ...words].join(' ') === line && program === 'grinpay'
  return isWhole && !/[|&;<>$`*?~\\(){}#]/.test(line)
    ? words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
    : undefined
}

function shell(line: string, home: string, env: NodeJS.ProcessEnv): Ran {
  const { stdout, stderr, status } = spawnSync('sh', ['-c', line], {
    encoding: 'utf8',
    env,
    cwd: home,
    input: '',
    timeout: 120_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  return { stdout, stderr, exit: status }
}
