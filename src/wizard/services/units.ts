// The units of one daemon, as texts: from what its settings say. The only place where templates/systemd is read.
import { dirname } from 'node:path'
import { Eta } from 'eta'
import type { DaemonName } from '../../config/index.js'
import type { Program } from '../pay/unit.js'
import { readTemplate } from '../templates.js'
import type { Credential } from './credentials.js'
import { type Home, homeOf, inUnit } from './home.js'
import { type ServiceMemory, serviceMemory } from './memory.js'
import { stamped } from './stamp.js'

export interface UnitParts {
  readonly daemon: DaemonName
  readonly program: Program
  /** The env file; of the relay its TOML file. */
  readonly settingsFile: string
  /** Further variables. */
  readonly environmentFiles?: readonly string[]
  /** What it writes to; the first holds the database. */
  readonly folders: readonly string[]
  readonly credentials?: readonly Credential[]
  /** Of the control socket of tor. */
  readonly group?: string | undefined
  /** systemd holds the port; see `renderSocket`. */
  readonly hasSocket?: boolean
  /** What it may have; a share of this machine's unless told. */
  readonly memory?: ServiceMemory
}

/** What the three have of their own. */
const DAEMONS: Readonly<
  Record<DaemonName, { description: string; ownFolder: string; runtime: boolean; files?: number }>
> = {
  pay: { description: 'grinpay till', ownFolder: '/var/lib/grinpay', runtime: true },
  nameauth: { description: 'grinpay name authority', ownFolder: '/var/lib/grinpay-nameauth', runtime: false },
  relay: { description: 'grinpay Nostr relay', ownFolder: '/var/lib/grinpay-relay', runtime: false, files: 65_536 },
}

/** What SIGHUP makes a daemon read again; one without stops at it. */
const RELOADS: Readonly<Record<DaemonName, string | undefined>> = {
  pay: 'its tokens and its webhook secret, where they are files of its own',
  nameauth: undefined,
  relay: 'the lists of the operator',
}

export const unitName = (daemon: DaemonName): string => `grinpay-${daemon}`

const render = (template: string, data: object): string =>
  new Eta({ autoEscape: false, autoTrim: [false, 'nl'] }).renderString(readTemplate(`systemd/${template}.eta`), data)

export const homeOfUnit = ({ daemon, folders }: Pick<UnitParts, 'daemon' | 'folders'>): Home =>
  homeOf(unitName(daemon), folders, DAEMONS[daemon].ownFolder)

/** The daemon itself. */
export function renderService(parts: UnitParts): string {
  const { daemon, program, settingsFile, environmentFiles = [], credentials = [], group, hasSocket = false } = parts
  const { memory = serviceMemory() } = parts
  const home = homeOfUnit(parts)
  const isRelay = daemon === 'relay'
  const data = {
    ...DAEMONS[daemon],
    ...{ settingsFile, credentials, group, hasSocket, memory },
    name: unitName(daemon),
    root: program.root,
    command: `${exec(program)} serve ${daemon}${isRelay ? relayFlags(settingsFile, home) : ''}`,
    reload: RELOADS[daemon],
    environmentFiles: isRelay ? environmentFiles : [settingsFile, ...environmentFiles],
    home: render('home', home),
    hardening: render('hardening', { isOffline: false }),
  }
  return stamped(render('grinpay.service', data))
}

const exec = ({ node, script }: Program): string => `${node} ${script}`

const relayFlags = (settingsFile: string, home: Home): string =>
  ` --config ${settingsFile} --db ${inUnit(home, home.folders[0] ?? '')}`

type Common = Pick<UnitParts, 'daemon' | 'program' | 'settingsFile'>

const commonData = ({ daemon, program, settingsFile }: Common) => ({
  description: DAEMONS[daemon].description,
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
  const credential = settingsFile.slice(dirname(settingsFile).length + 1)
  const flag = daemon === 'relay' ? '--config' : '--settings'
  const data = {
    ...commonData(parts),
    unit: backupName(daemon),
    command: `${exec(program)} backup create --daemon ${daemon} ${flag} %d/${credential} --out ${inUnit(home, out)}`,
    prune: `${exec(program)} backup prune ${inUnit(home, out)} --keep-daily 14 --keep-weekly 8 --yes`,
    // The usual folder depends on who runs a command, and here that is not root.
    dataDir: daemon === 'relay' ? inUnit(home, home.folders[0] ?? '') : undefined,
    credential,
    // Settings of a relay are read as a whole, and that needs the files that they name.
    credentials: daemon === 'relay' ? credentials : [],
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
