// A Tor network of its own on this machine: authorities, relays, one tor for the service and one for who visits it. Nothing leaves 127.0.0.1.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const AUTHORITIES = ['a0', 'a1', 'a2']
const RELAYS = ['r0', 'r1', 'r2', 'r3']

/** Votes every 20 s, so that the first consensus comes within a minute. */
const COMMON = `TestingTorNetwork 1
AssumeReachable 1
PathsNeededToBuildCircuits 0.67
TestingV3AuthInitialVotingInterval 20
TestingV3AuthInitialVoteDelay 4
TestingV3AuthInitialDistDelay 4
V3AuthVotingInterval 20
V3AuthVoteDelay 4
V3AuthDistDelay 4
ShutdownWaitLength 0`

const AUTHORITY = `AuthoritativeDirectory 1
V3AuthoritativeDirectory 1
ContactInfo nobody@invalid
TestingDirAuthVoteExit *
TestingDirAuthVoteGuard *
TestingDirAuthVoteHSDir *
TestingMinExitFlagThreshold 0
V3AuthNIntervalsValid 2`

const runs = (program: string): boolean => {
  try {
    execFileSync(program, ['--help'], { stdio: 'ignore' })
    return true
  } catch (thrown) {
    return !(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')
  }
}

/** Why there can be no network here, or undefined. */
export const noTorNetwork =
  runs('tor') && runs('tor-gencert') ? undefined : 'the programs tor and tor-gencert are not installed'

export interface TorNetwork {
  /** Control socket of the tor that runs the service. */
  readonly control: { readonly path: string }
  /** SOCKS port of another tor, for visitors. */
  readonly socks: { readonly host: string; readonly port: number }
  /** Ends the service's tor at once, as a crash would, and starts it again. */
  crashService(): Promise<void>
  close(): Promise<void>
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, '127.0.0.1', () => {
            const address = server.address()
            resolve(address && typeof address === 'object' ? address.port : 0)
          }),
        ),
    ),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** Starts the whole network; members find each other within one or two minutes. */
export async function startTorNetwork(): Promise<TorNetwork> {
  const root = mkdtempSync(join(tmpdir(), 'tor-network-'))
  const [socks = 0, ...ports] = await freePorts(1 + AUTHORITIES.length * 2 + RELAYS.length)
  const control = join(root, 'service', 'control')
  const children = new Map<string, ChildProcess>()

  const write = (name: string, ...lines: readonly string[]): void => {
    mkdirSync(join(root, name, 'keys'), { recursive: true, mode: 0o700 })
    const folder = join(root, name)
    const own = `DataDirectory ${folder}\nNickname ${name}\nLog notice file ${join(folder, 'log')}`
    writeFileSync(join(folder, 'torrc'), `${[COMMON, own, ...lines].join('\n')}\n`)
  }

  /** Makes the keys of an authority and answers the line by which the others know it. */
  function authority(name: string, orPort = 0, dirPort = 0): string {
    const relay = `Address 127.0.0.1\nORPort 127.0.0.1:${orPort}\nDirPort 127.0.0.1:${dirPort}\nSocksPort 0\nExitRelay 0`
    write(name, AUTHORITY, relay)
    const keys = join(root, name, 'keys')
    const files = ['-i', 'identity_key', '-s', 'signing_key', '-c', 'certificate'].map((word) =>
      word.startsWith('-') ? word : join(keys, `authority_${word}`),
    )
    const made = ['--create-identity-key', '--passphrase-fd', '0', ...files, '-m', '12', '-a', `127.0.0.1:${dirPort}`]
    execFileSync('tor-gencert', made, { input: 'passphrase\n', stdio: ['pipe', 'ignore', 'ignore'] })
    const certificate = readFileSync(join(keys, 'authority_certificate'), 'utf8')
    const identity = /^fingerprint (\w+)$/m.exec(certificate)?.[1] ?? ''
    // tor names its fingerprint only when it knows some authority; any will do.
    const anyAuthority = `x orport=1 no-v2 v3ident=${identity} 127.0.0.1:1 ${'A'.repeat(40)}`
    const torrc = join(root, name, 'torrc')
    execFileSync('tor', [...filesOf(torrc), '--quiet', '--list-fingerprint', '--DirAuthority', anyAuthority])
    const fingerprint = readFileSync(join(root, name, 'fingerprint'), 'utf8')
      .trim()
      .split(' ')
      .slice(1)
      .join('')
    return `DirAuthority ${name} orport=${orPort} no-v2 v3ident=${identity} 127.0.0.1:${dirPort} ${fingerprint}`
  }

  const start = (name: string): void => {
    children.set(name, spawn('tor', filesOf(join(root, name, 'torrc')), { stdio: 'ignore' }))
  }

  async function kill(name: string): Promise<void> {
    const child = children.get(name)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  const authorities = AUTHORITIES.map((name, index) => authority(name, ports[index * 2], ports[index * 2 + 1])).join(
    '\n',
  )
  for (const name of AUTHORITIES) appendFileSync(join(root, name, 'torrc'), `${authorities}\n`)
  for (const [index, name] of RELAYS.entries()) {
    const port = ports[AUTHORITIES.length * 2 + index]
    write(name, authorities, `Address 127.0.0.1\nORPort 127.0.0.1:${port}\nSocksPort 0\nExitRelay 0`)
  }
  write('service', authorities, `SocksPort 0\nControlSocket ${control}\nCookieAuthentication 1`)
  write('visitor', authorities, `SocksPort 127.0.0.1:${socks}`)
  for (const name of [...AUTHORITIES, ...RELAYS, 'service', 'visitor']) start(name)

  return {
    control: { path: control },
    socks: { host: '127.0.0.1', port: socks },
    async crashService() {
      await kill('service')
      start('service')
    },
    async close() {
      await Promise.all([...children.keys()].map(kill))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Nothing of the machine's own configuration is read. */
const filesOf = (torrc: string): string[] => ['-f', torrc, '--defaults-torrc', '/dev/null']
