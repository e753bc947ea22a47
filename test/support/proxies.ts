// The proxies that operators use, as programs of this machine, with what "grinpay config proxy" prints.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProxyOptions, renderProxy, renderRelayProxy, renderTillProxy } from '../../src/wizard/proxy/index.js'
import type { RelayProxyOptions } from '../../src/wizard/proxy/relay-proxy.js'
import type { TillProxyOptions } from '../../src/wizard/proxy/till-proxy.js'
import { CERTIFICATE, KEY } from './test-certificate.js'
import { cleanEnvironment, freePort } from './till-process.js'

export type ProxyName = 'nginx' | 'caddy'

/** How to ask each for its version, and where it may be. */
const PROGRAMS: Readonly<Record<ProxyName, { readonly ask: string; readonly paths: readonly string[] }>> = {
  nginx: { ask: '-v', paths: ['nginx', '/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'] },
  caddy: { ask: 'version', paths: ['caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy'] },
}

/** The program, or undefined when it is not installed. */
export const findProxy = (name: ProxyName): string | undefined =>
  PROGRAMS[name].paths.find((path) => {
    try {
      execFileSync(path, [PROGRAMS[name].ask], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })

export interface RunningProxy {
  readonly port: number
  /** Where it speaks plain http. */
  readonly plainPort: number
  stop(): Promise<void>
}

type Own = Required<Pick<ProxyOptions, 'certificate' | 'listen'>>

/** Starts it on ports of 127.0.0.1 with the rendered configuration; nothing else of the text is changed. */
export const startProxy = (name: ProxyName, wishes: ProxyOptions): Promise<RunningProxy> =>
  start(name, (own) => renderProxy(name, { ...wishes, ...own }))

/** The same for what stands in front of a relay alone. */
export const startRelayProxy = (name: ProxyName, wishes: RelayProxyOptions): Promise<RunningProxy> =>
  start(name, (own) => renderRelayProxy(name, { ...wishes, ...own }))

/** The same for what stands in front of a till. */
export const startTillProxy = (name: ProxyName, wishes: TillProxyOptions): Promise<RunningProxy> =>
  start(name, (own) => renderTillProxy(name, { ...wishes, ...own }))

async function start(name: ProxyName, render: (own: Own) => string): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-proxy-'))
  const own = ownIn(folder)
  const [port, plainPort] = [await freePort(), await freePort()]
  const text = render(own)
  const child = { nginx: startNginx, caddy: startCaddy }[name]({ folder, text, port, plainPort })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for (const each of [port, plainPort]) await listening(each, child, () => said)
  return {
    port,
    plainPort,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Start {
  readonly folder: string
  readonly text: string
  readonly port: number
  readonly plainPort: number
}

/** Has the program read a configuration and start nothing: `nginx -t`, `caddy validate`. Throws what it says. */
export async function checkProxy(name: ProxyName, render: (own: Own) => string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-proxy-'))
  try {
    const text = render(ownIn(folder))
    const start = { folder, text, port: await freePort(), plainPort: await freePort() }
    if (name === 'nginx') checkedNginx(start)
    else checkedCaddy(start)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A certificate of tests, and this machine alone. */
function ownIn(folder: string): Own {
  const certificate = { chain: join(folder, 'chain.pem'), key: join(folder, 'key.pem') }
  writeFileSync(certificate.chain, CERTIFICATE)
  writeFileSync(certificate.key, KEY)
  return { certificate, listen: '127.0.0.1' }
}

/** Checks the configuration first, as an operator would. */
function startNginx(parts: Start): ChildProcess {
  const { program, args } = checkedNginx(parts)
  return spawn(program, args)
}

function checkedNginx({ folder, text, port, plainPort }: Start) {
  const site = text
    .replaceAll('127.0.0.1:443 ', `127.0.0.1:${port} `)
    .replaceAll('127.0.0.1:80;', `127.0.0.1:${plainPort};`)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const places = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join('\n')
  writeFileSync(join(folder, 'site.conf'), site)
  writeFileSync(
    join(folder, 'nginx.conf'),
    // As Debian ships it, gzip is on for everything.
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
     http { access_log off; gzip on; ${places} include ${folder}/site.conf; }`,
  )
  const program = findProxy('nginx') ?? ''
  const args = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]
  execFileSync(program, [...args, '-t'], { stdio: 'pipe' })
  return { program, args }
}

function startCaddy(parts: Start): ChildProcess {
  const { program, args, env } = checkedCaddy(parts)
  return spawn(program, ['run', ...args], { env })
}

function checkedCaddy({ folder, text, port, plainPort }: Start) {
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n admin off\n http_port ${plainPort}\n https_port ${port}\n}\n${text}`)
  const program = findProxy('caddy') ?? ''
  const args = ['--config', file, '--adapter', 'caddyfile']
  const env = cleanEnvironment({ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder })
  execFileSync(program, ['validate', ...args], { stdio: 'pipe', env })
  return { program, args, env }
}

async function listening(port: number, child: ChildProcess, said: () => string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (child.exitCode !== null || child.signalCode !== null) break
    if (await connects(port)) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`the proxy does not listen:\n${said()}`)
}

const connects = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
