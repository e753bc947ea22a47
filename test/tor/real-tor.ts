// The system's own tor, without network, with a data folder that goes with the test.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const findTor = (): string | undefined =>
  ['/usr/sbin/tor', '/usr/bin/tor', '/usr/local/bin/tor', '/opt/homebrew/bin/tor'].find((path) => {
    try {
      return execFileSync(path, ['--version'], { encoding: 'utf8' }).startsWith('Tor version')
    } catch {
      return false
    }
  })

const program = findTor()

/** Why tests with the real program cannot run here, or undefined. */
export const noRealTor = program === undefined ? 'the program tor is not installed' : undefined

export interface RealTor {
  /** Its control socket. */
  readonly endpoint: { readonly path: string }
  /** The same over TCP; another port after each start. */
  tcp(): { readonly host: string; readonly port: number }
  readonly cookieFile: string
  signal(name: NodeJS.Signals): void
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  start(): Promise<void>
}

export const hashPassword = (password: string): string =>
  execFileSync(program ?? '', ['--quiet', '--hash-password', password], { encoding: 'utf8' }).trim()

/** It listens before it has written its cookie, but answers only after that. */
const answers = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write('PROTOCOLINFO 1\r\n'))
    socket.once('error', reject)
    socket.once('data', () => {
      socket.destroy()
      resolve()
    })
  })

/** Starts one that ends with the test. `lines` are added to its torrc; CookieAuthentication 1 by default. */
export async function startRealTor(lines: readonly string[] = ['CookieAuthentication 1']): Promise<RealTor> {
  const folder = mkdtempSync(join(tmpdir(), 'real-tor-'))
  const path = join(folder, 'control')
  const portFile = join(folder, 'port')
  const torrc = [
    `DataDirectory ${folder}`,
    `ControlSocket ${path}`,
    'ControlPort auto',
    `ControlPortWriteToFile ${portFile}`,
    'DisableNetwork 1',
    'SocksPort 0',
    'Log notice stdout',
    ...lines,
  ]
  writeFileSync(join(folder, 'torrc'), `${torrc.join('\n')}\n`)
  writeFileSync(join(folder, 'defaults'), '')
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const files = ['-f', join(folder, 'torrc'), '--defaults-torrc', join(folder, 'defaults')]
    const started = spawn(program ?? '', files, { stdio: ['ignore', 'pipe', 'ignore'] })
    child = started
    let said = ''
    await new Promise<void>((resolve, reject) => {
      started.stdout.on('data', (bytes) => {
        said += bytes
        if (said.includes(`Opened Control listener connection (ready) on ${path}`)) resolve()
      })
      started.once('exit', () => reject(new Error(`tor ended:\n${said}`)))
    })
    await answers(path)
  }

  async function kill(): Promise<void> {
    const { exitCode, signalCode } = child ?? { exitCode: 0, signalCode: null }
    if (!child || exitCode !== null || signalCode !== null) return
    const gone = new Promise((resolve) => child?.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  onTestFinished(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return {
    endpoint: { path },
    tcp() {
      const [, host = '', port = ''] = /^PORT=(.*):(\d+)$/m.exec(readFileSync(portFile, 'utf8')) ?? []
      return { host, port: Number(port) }
    },
    cookieFile: join(folder, 'control_auth_cookie'),
    signal: (name) => void child?.kill(name),
    kill,
    start,
  }
}
