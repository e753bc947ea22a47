// All files that make a daemon a service of systemd, with their places.
import { isIP } from 'node:net'
import { dirname, join } from 'node:path'
import { DAEMONS } from '../../config/index.js'
import { hostPort } from '../../lib/url.js'
import { notForUnit } from '../errors.js'
import { keepingIn, type PasswordKeeping, passwordFiles, renderDropIn, TOR_GROUP } from '../pay/unit.js'
import {
  backupFolder,
  backupName,
  credentialsOf,
  homeOfUnit,
  renderBackup,
  renderService,
  renderSocket,
  renderTarget,
  type UnitParts,
  unitName,
  userCommand,
} from './index.js'
import { HIDDEN_PROGRAM, isHidden } from './program.js'

/** As settings and flags say it; nothing is checked yet. */
export interface UnitOptions
  extends Pick<UnitParts, 'daemon' | 'program' | 'settingsFile' | 'environmentFiles' | 'folders'> {
  readonly bind: { readonly host: string; readonly port: number }
  /** The file that holds this secret setting, by its variable. */
  readonly secretFile: (variable: string) => string | undefined
  /** The till's onion service is kept by tor's control socket. */
  readonly usesTor: boolean
  /** systemd holds the port. */
  readonly hasSocket: boolean
  /** A copy every night. */
  readonly hasBackup: boolean
  /** Where units go. */
  readonly unitDir: string
}

export interface ServiceFile {
  readonly path: string
  readonly about: string
  readonly text: string
}

export interface ServiceFiles {
  readonly files: readonly ServiceFile[]
  /** What is worth a word. */
  readonly notes: readonly string[]
  /** What root types to have them in force. */
  readonly commands: readonly string[]
}

/** Throws NOT_FOR_UNIT for what cannot stand in a unit. */
export function unitFiles(options: UnitOptions): ServiceFiles {
  const { daemon, program, settingsFile, unitDir, hasSocket, hasBackup } = options
  const credentials = credentialsOf(daemon, options.secretFile)
  const parts = { ...options, credentials, group: options.usesTor ? TOR_GROUP : undefined }
  checkPaths(parts)
  const name = unitName(daemon)
  const at = (file: string) => join(unitDir, file)
  const keeping = passwordOf(options)
  const backup = hasBackup ? renderBackup(parts) : undefined
  const listen = hasSocket ? listenAddress(options) : ''
  const files: ServiceFile[] = [{ path: at(`${name}.service`), about: 'the service', text: renderService(parts) }]
  if (isKept(keeping)) files.push(passwordFile(options, keeping))
  if (hasSocket) files.push({ path: at(`${name}.socket`), about: 'its port', text: renderSocket(parts, listen) })
  if (backup)
    files.push(
      { path: at(`${backupName(daemon)}.service`), about: 'a copy of its data', text: backup.service },
      { path: at(`${backupName(daemon)}.timer`), about: 'the same every night', text: backup.timer },
    )
  files.push({ path: at('grinpay.target'), about: 'all services together', text: renderTarget(program) })
  return { files, notes: notesOn(options, settingsFile, keeping), commands: commandsFor(options) }
}

type Keeping = PasswordKeeping | 'settings' | 'missing' | 'none'

/** How the daemon gets the password of its wallet. */
function passwordOf({ daemon, settingsFile, secretFile, unitDir }: UnitOptions): Keeping {
  const { passwordSetting } = DAEMONS[daemon]
  if (passwordSetting === undefined) return 'none'
  if (secretFile(passwordSetting) !== undefined) return 'settings'
  return keepingIn(placesOf(settingsFile, unitDir)) ?? 'missing'
}

const isKept = (keeping: Keeping): keeping is PasswordKeeping =>
  keeping === 'credential' || keeping === 'file' || keeping === 'manual'

const placesOf = (settingsFile: string, unitDir: string) => ({
  secretsDir: join(dirname(settingsFile), 'secrets'),
  dropInDir: join(unitDir, 'grinpay-pay.service.d'),
})

function passwordFile({ settingsFile, unitDir }: UnitOptions, keeping: PasswordKeeping): ServiceFile {
  const places = placesOf(settingsFile, unitDir)
  return {
    path: passwordFiles(places).dropIn,
    about: 'how the wallet password reaches the till',
    text: renderDropIn(places, keeping),
  }
}

function notesOn({ program, folders }: UnitOptions, settingsFile: string, keeping: Keeping): readonly string[] {
  const hidden = [settingsFile, ...folders].filter((path) => /^\/(home|root)\//.test(path))
  return [
    ...(isHidden(program) ? [HIDDEN_PROGRAM] : []),
    ...hidden.map(
      (path) => `warning: the unit cannot see ${path}, which lies in a home folder; move it below /etc or /var/lib`,
    ),
    ...(keeping === 'missing'
      ? [
          `warning: no wallet password beside ${settingsFile}; grinpay setup pay keeps one, or set PAY_WALLET_PASSWORD_FILE`,
        ]
      : []),
  ]
}

function commandsFor({ daemon, folders, hasSocket, hasBackup }: UnitOptions): readonly string[] {
  const user = userCommand(homeOfUnit({ daemon, folders }), hasBackup ? [backupFolder(daemon)] : [])
  const socket = hasSocket ? `${unitName(daemon)}.socket ` : ''
  const timer = hasBackup ? ` ${backupName(daemon)}.timer` : ''
  return [
    ...(user === undefined ? [] : [user]),
    'systemctl daemon-reload',
    `systemctl enable --now ${socket}${unitName(daemon)}.service${timer} grinpay.target`,
  ]
}

/** systemd resolves no names, and opens no port that is chosen later. */
function listenAddress({ bind: { host, port } }: UnitOptions): string {
  if (isIP(host) !== 0 && port > 0) return hostPort(host, port)
  throw notForUnit(`systemd listens on an IP address and a port, not on ${JSON.stringify(hostPort(host, port))}`)
}

/** A blank would end a word, a percent sign would begin a specifier. */
function checkPaths({ program, settingsFile, environmentFiles = [], folders, credentials = [] }: UnitParts): void {
  const named = [program.node, program.script, program.root, settingsFile, ...environmentFiles, ...folders]
  for (const path of [...named, ...credentials.map(({ path }) => path)])
    if (!/^[A-Za-z0-9._@+/-]+$/.test(path))
      throw notForUnit(`a path has more than letters, digits and . _ @ + - in it: ${JSON.stringify(path)}`)
}
