// The units of one daemon, as texts: from what its settings say. The only place where templates/systemd is read.
import { basename, dirname, join } from 'node:path'
import { DAEMONS, type DaemonName } from '../../config/index.js'
import { directory, PUBLIC_DIR, PUBLIC_FILE, replace, type Step } from '../steps.js'
import { renderTemplate } from '../templates.js'
import type { Credential } from './credentials.js'
import { type Home, homeOf, inUnit, userCommand } from './home.js'
import { type ServiceMemory, serviceMemory } from './memory.js'
import type { Program } from './program.js'
import { stamped } from './stamp.js'

export interface UnitParts {
  readonly daemon: DaemonName
  readonly program: Program
  /** The env file; of the relay its TOML file. */
  readonly settingsFile: string
  /** Of the relay, further variables: one file at most. */
  readonly environmentFiles?: readonly string[]
  /** What it writes to; the first holds the database. */
  readonly folders: readonly string[]
  readonly credentials?: readonly Credential[]
  /** Of the control socket of tor. */
  readonly group?: string | undefined
  /** systemd holds the port; see `renderSocket`. */
  readonly hasSocket?: boolean
  /** What it may have; by default a share of this machine's. */
  readonly memory?: ServiceMemory
}

export const unitName = (daemon: DaemonName): string => `grinpay-${daemon}`

const render = (template: string, data: object): string => renderTemplate(`systemd/${template}`, data)

export const homeOfUnit = ({ daemon, folders }: Pick<UnitParts, 'daemon' | 'folders'>): Home =>
  homeOf(unitName(daemon), folders, DAEMONS[daemon].unit.ownFolder)

/** The daemon itself. */
export function renderService(parts: UnitParts): string {
  const { daemon, program, settingsFile, environmentFiles = [], credentials = [], group, hasSocket = false } = parts
  const { memory = serviceMemory() } = parts
  const home = homeOfUnit(parts)
  const { unit, fileForm, serveFlags } = DAEMONS[daemon]
  const isToml = fileForm === 'toml'
  const settings = isToml ? settingsFile : credentialPath(settingsFile)
  const flags = ['--settings', settings, ...serveFlags(inUnit(home, home.folders[0] ?? ''))]
  const data = {
    ...unit,
    ...{ settingsFile, credentials, group, hasSocket, memory },
    name: unitName(daemon),
    root: program.root,
    command: [exec(program), 'serve', daemon, ...flags].join(' '),
    handed: (isToml ? environmentFiles : [settingsFile]).map((path) => ({ name: basename(path), path })),
    variablesFile: isToml && environmentFiles[0] !== undefined ? basename(environmentFiles[0]) : undefined,
    home: render('home', home),
    hardening: render('hardening', { isOffline: false }),
  }
  return stamped(render('grinpay.service', data))
}

/** Where the daemon finds a file that systemd hands over: the settings may be root's alone. */
const credentialPath = (file: string): string => `\${CREDENTIALS_DIRECTORY}/${basename(file)}`

const exec = ({ node, script }: Program): string => `${node} ${script}`

type Common = Pick<UnitParts, 'daemon' | 'program' | 'settingsFile'>

const commonData = ({ daemon, program, settingsFile }: Common) => ({
  description: DAEMONS[daemon].unit.description,
  name: unitName(daemon),
  root: program.root,
  settingsFile,
})

/** What holds its port; `listen` is `address:port`. */
export const renderSocket = (parts: Common, listen: string): string =>
  stamped(render('grinpay.socket', { ...commonData(parts), listen }))

/** All services together. */
export const renderTarget = ({ root }: Pick<Program, 'root'>): string => stamped(render('grinpay.target', { root }))

/** A copy every night into a folder below /var/lib of the same user. */
export function renderBackup(parts: Omit<UnitParts, 'hasSocket'>): {
  readonly service: string
  readonly timer: string
} {
  const { daemon, program, settingsFile, folders, credentials = [] } = parts
  const out = backupFolder(daemon)
  const home = homeOfUnit({ daemon, folders: [...folders, out] })
  const credential = basename(settingsFile)
  const isToml = DAEMONS[daemon].fileForm === 'toml'
  const data = {
    ...commonData(parts),
    unit: backupName(daemon),
    command: `${exec(program)} backup create --daemon ${daemon} --settings ${credentialPath(settingsFile)} --out ${inUnit(home, out)}`,
    prune: `${exec(program)} backup prune ${inUnit(home, out)} --keep-daily 14 --keep-weekly 8 --yes`,
    // The usual folder depends on who runs a command, and here that is not root.
    dataDir: isToml ? inUnit(home, home.folders[0] ?? '') : undefined,
    credential,
    // A TOML file is read as a whole, with the files that it names.
    credentials: isToml ? credentials : [],
    home: render('home', home),
    hardening: render('hardening', { isOffline: true }),
  }
  return {
    service: stamped(render('grinpay-backup.service', data)),
    timer: stamped(render('grinpay-backup.timer', data)),
  }
}

/** Where the nightly copies go. */
export const backupFolder = (daemon: DaemonName): string => `/var/lib/${backupName(daemon)}`

/** Of its units, and of its folder: beside the data, and not inside of it. */
export const backupName = (daemon: DaemonName): string => `grinpay-backup-${daemon}`

/** The unit as a setup writes it into `folder` or above, and the target beside it: every service names it in WantedBy, and systemd complains when it is missing. */
export const unitSteps = (unitFile: string, parts: UnitParts, folder = dirname(unitFile)): readonly Step[] => [
  directory(folder, PUBLIC_DIR),
  replace(unitFile, PUBLIC_FILE, 'the systemd unit', renderService(parts)),
  replace(join(dirname(unitFile), 'grinpay.target'), PUBLIC_FILE, 'all services together', renderTarget(parts.program)),
]

/** What root has to do once: a user for the folders of the unit, where systemd makes none at each start. */
export function userNeeds(unit: UnitParts): readonly string[] {
  const user = userCommand(homeOfUnit(unit))
  return user === undefined ? [] : [`a user for the unit, once:\n${user}`]
}
