// A control port of tor in a few lines, on a real socket: logs in, keeps onion services, and can be made to misbehave.
import { createHmac, randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { formatOnion } from '../../src/grin/slatepack/index.js'
import { createWatched } from './watched.js'

export interface FakeTorOptions {
  /** As PROTOCOLINFO lists them. */
  readonly methods?: string
  readonly password?: string
  /** What it believes the cookie to be, when that is not what stands in the file. */
  readonly believes?: Uint8Array
  /** Listens on a unix socket instead of TCP. */
  readonly unix?: boolean
  /** Instead of the usual answer; undefined = the usual one, null = none at all. */
  readonly answer?: ((command: string) => string | null | undefined) | undefined
}

export interface FakeTor {
  readonly endpoint: { readonly host: string; readonly port: number } | { readonly path: string }
  readonly cookieFile: string
  /** Every command it received, in order. */
  readonly commands: readonly string[]
  /** Services that are up, by their onion. */
  readonly services: ReadonlyMap<string, { readonly target: string }>
  /** Changes the misbehaviour. */
  misbehave(answer: FakeTorOptions['answer']): void
  setBootstrap(percent: number, tellControllers?: boolean): void
  /** Sends raw text to everybody who is connected. */
  say(text: string): void
  /** A directory took the descriptor of this service. */
  upload(onion: string): void
  /** Cuts every connection; services go with theirs. */
  cut(): void
  /** Forgets the services without a word. */
  forget(): void
  /** Resolves when the `times`-th command that begins so was answered. */
  waitForCommand(prefix: string, times?: number): Promise<string>
  close(): Promise<void>
}

const L = ed25519.Point.CURVE().n

/** The onion of an expanded key, as tor computes it. */
function onionOfExpandedKey(key: Uint8Array): string {
  const scalar = BigInt(`0x${Buffer.from(key.slice(0, 32)).reverse().toString('hex')}`) % L
  return formatOnion(ed25519.Point.BASE.multiply(scalar).toBytes())
}

const hmac = (key: string, ...parts: readonly Uint8Array[]) =>
  parts.reduce((mac, part) => mac.update(part), createHmac('sha256', key)).digest()

interface Connection {
  readonly socket: Socket
  loggedIn: boolean
  expected: Buffer | undefined
}

export async function startFakeTor(options: FakeTorOptions = {}): Promise<FakeTor> {
  const { methods = 'COOKIE,SAFECOOKIE', password = '' } = options
  const folder = mkdtempSync(join(tmpdir(), 'fake tor "'))
  const cookieFile = join(folder, 'control.authcookie')
  const cookie = new Uint8Array(randomBytes(32))
  writeFileSync(cookieFile, cookie)
  chmodSync(cookieFile, 0o640)
  const believed = options.believes ?? cookie
  const commands = createWatched<string>()
  const services = new Map<string, { target: string; owner: Connection }>()
  const connections = new Set<Connection>()
  let answer = options.answer
  let percent = 100

  const progress = () => `NOTICE BOOTSTRAP PROGRESS=${percent} TAG=x SUMMARY="Step of ${percent}"`

  function addOnion(connection: Connection, command: string): string {
    const [, key = '', target = ''] = /^ADD_ONION ED25519-V3:(\S+) Flags=DiscardPK Port=80,(\S+)$/.exec(command) ?? []
    const bytes = new Uint8Array(Buffer.from(key, 'base64'))
    if (bytes.length !== 64) return '512 Failed to decode ED25519-V3 key'
    const onion = onionOfExpandedKey(bytes)
    if (services.has(onion)) return '550 Onion address collision'
    services.set(onion, { target, owner: connection })
    return `250-ServiceID=${onion}\r\n250 OK`
  }

  function removeOnion(connection: Connection, onion: string): string {
    if (services.get(onion)?.owner !== connection) return '552 Unknown Onion Service id'
    services.delete(onion)
    return '250 OK'
  }

  function current(connection: Connection): string {
    const own = [...services].filter(([, { owner }]) => owner === connection).map(([onion]) => onion)
    if (own.length < 2) return `250-onions/current=${own.join('')}\r\n250 OK`
    return `250+onions/current=\r\n${own.join('\r\n')}\r\n.\r\n250 OK`
  }

  function challenge(connection: Connection, nonce: string): string {
    const theirs = Buffer.from(nonce, 'hex')
    const ours = randomBytes(32)
    connection.expected = hmac('Tor safe cookie authentication controller-to-server hash', cookie, theirs, ours)
    const shown = hmac('Tor safe cookie authentication server-to-controller hash', believed, theirs, ours)
    return `250 AUTHCHALLENGE SERVERHASH=${shown.toString('hex')} SERVERNONCE=${ours.toString('hex')}`
  }

  function authenticate(connection: Connection, proof: string): string {
    const wanted = connection.expected ?? Buffer.from(password)
    connection.loggedIn = methods === 'NULL' || proof.toLowerCase() === wanted.toString('hex')
    return connection.loggedIn ? '250 OK' : '515 Authentication failed: Wrong whatever'
  }

  function usual(connection: Connection, command: string): string {
    const [verb = '', first = '', second = ''] = command.split(' ')
    if (verb === 'PROTOCOLINFO') {
      const quoted = cookieFile.replace(/["\\]/g, '\\$&')
      return `250-PROTOCOLINFO 1\r\n250-AUTH METHODS=${methods} COOKIEFILE="${quoted}"\r\n250-VERSION Tor="0.0.0-fake"\r\n250 OK`
    }
    if (verb === 'AUTHCHALLENGE') return challenge(connection, second)
    if (verb === 'AUTHENTICATE') return authenticate(connection, first)
    if (!connection.loggedIn) return '514 Authentication required.'
    if (verb === 'ADD_ONION') return addOnion(connection, command)
    if (verb === 'DEL_ONION') return removeOnion(connection, first)
    if (command === 'GETINFO onions/current') return current(connection)
    if (command === 'GETINFO status/bootstrap-phase') return `250-status/bootstrap-phase=${progress()}\r\n250 OK`
    return verb === 'SETEVENTS' ? '250 OK' : `510 Unrecognized command "${verb}"`
  }

  function obey(connection: Connection, command: string): void {
    const chosen = answer?.(command)
    const text = chosen === undefined ? usual(connection, command) : chosen
    if (text !== null) connection.socket.write(`${text}\r\n`)
    commands.note(command)
  }

  const server = createServer((socket) => {
    const connection: Connection = { socket, loggedIn: false, expected: undefined }
    connections.add(connection)
    let rest = ''
    socket.on('error', () => undefined)
    socket.on('close', () => {
      connections.delete(connection)
      for (const [onion, { owner }] of services) if (owner === connection) services.delete(onion)
    })
    socket.on('data', (bytes) => {
      const lines = `${rest}${bytes}`.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) obey(connection, line)
    })
  })
  const path = join(folder, 'control')
  await new Promise<void>((resolve) =>
    options.unix ? server.listen(path, resolve) : server.listen(0, '127.0.0.1', resolve),
  )
  const address = server.address()
  const say = (text: string) => {
    for (const { socket } of connections) socket.write(`${text}\r\n`)
  }

  return {
    endpoint: address && typeof address === 'object' ? { host: '127.0.0.1', port: address.port } : { path },
    cookieFile,
    commands: commands.items,
    services,
    say,
    misbehave(next) {
      answer = next
    },
    setBootstrap(next, tellControllers = true) {
      percent = next
      if (tellControllers) say(`650 STATUS_CLIENT ${progress()}`)
    },
    upload: (onion) => say(`650 HS_DESC UPLOADED ${onion} UNKNOWN $${'AB'.repeat(20)}~relay`),
    cut() {
      for (const { socket } of connections) socket.destroy()
    },
    forget: () => services.clear(),
    waitForCommand: (prefix, times) => commands.reached((command) => command.startsWith(prefix), times),
    async close() {
      for (const { socket } of connections) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
