// Talks to systemd when it started us with Type=notify; silent everywhere else. Node cannot open the datagram socket
// itself, so the `systemd-notify` program does.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Runs one program to its end; rejects when it fails. */
type RunProgram = (file: string, args: readonly string[]) => Promise<void>

export interface Notifier {
  /** Start-up is over; `status` is the line `systemctl status` shows. */
  ready(status: string): Promise<void>
  status(text: string): Promise<void>
  stopping(): Promise<void>
  /** How often `alive` should be called, or undefined when no watchdog is set. */
  readonly watchdogMs: number | undefined
  alive(): Promise<void>
}

export interface NotifierParts {
  readonly socket?: string | undefined
  readonly watchdogUsec?: string | undefined
  readonly run?: RunProgram
}

const runProgram: RunProgram = async (file, args) => {
  const { execa } = await import('execa')
  // Our own variables may hold secrets, and a child's can be read as easily as ours.
  const { PATH, NOTIFY_SOCKET } = process.env
  await execa(file, [...args], { timeout: 10_000, extendEnv: false, env: { PATH, NOTIFY_SOCKET } })
}

/** Every verb resolves at once without a notify socket, and never rejects: a missing program must not stop the till. */
export function createNotifier(parts: NotifierParts = {}): Notifier {
  const { socket = process.env.NOTIFY_SOCKET, watchdogUsec = process.env.WATCHDOG_USEC, run = runProgram } = parts
  const send = async (...args: readonly string[]): Promise<void> => {
    if (!socket) return
    await run('systemd-notify', [`--pid=${process.pid}`, ...args]).catch(() => undefined)
  }
  const period = socket ? Number(watchdogUsec) / 2000 : Number.NaN
  return {
    ready: (status) => send('--ready', `--status=${status}`),
    status: (text) => send(`--status=${text}`),
    stopping: () => send('STOPPING=1'),
    watchdogMs: period > 0 ? Math.floor(period) : undefined,
    alive: () => send('WATCHDOG=1'),
  }
}

/** The first descriptor that systemd hands over (sd_listen_fds(3)). */
const FIRST_DESCRIPTOR = 3

interface ListenVariables {
  readonly LISTEN_FDS?: string | undefined
  readonly LISTEN_PID?: string | undefined
}

/** The listening socket that a .socket unit opened for this process; undefined: it opens its own. */
export function handedOverSocket(
  { LISTEN_FDS, LISTEN_PID }: ListenVariables = process.env,
  pid: number = process.pid,
): number | undefined {
  return Number(LISTEN_PID) === pid && Number(LISTEN_FDS) > 0 ? FIRST_DESCRIPTOR : undefined
}

// Whether systemd passes a secret to the till. The till then holds the copy of its start and sees a changed file only after a restart.
const UNIT = 'grinpay-pay.service'
/** The folders of units in systemd's order; the last belongs to a setup with a prefix. */
const foldersFor = (settingsFile: string): readonly string[] => [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  join(dirname(settingsFile), 'systemd'),
]

/** How a unit names the settings: handed over, or in older units read by systemd. */
const SETTINGS = [/^LoadCredential=[^:]+:(.+)$/, /^EnvironmentFile=-?(.+)$/]

/** Whether a unit of the till with these settings loads that setting as a credential. What cannot be read counts as absent. */
export const isHandedOver = (settingsFile: string, setting: string, folders = foldersFor(settingsFile)): boolean =>
  folders.some((folder) => {
    const unit = textOf(join(folder, UNIT))
    if (!SETTINGS.some((form) => hasLine(unit, form, settingsFile))) return false
    const credential = new RegExp(`^LoadCredential(?:Encrypted)?=(${setting.toLowerCase()}):`)
    return [unit, ...dropInsOf(join(folder, `${UNIT}.d`))].some((text) =>
      hasLine(text, credential, setting.toLowerCase()),
    )
  })

const hasLine = (text: string, form: RegExp, wanted: string): boolean =>
  text.split('\n').some((line) => form.exec(line.trim())?.[1] === wanted)

const dropInsOf = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.conf'))
        .map((name) => textOf(join(folder, name)))
    : []

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // not there, or not ours to read: then it is not ours to rotate either
  }
}
