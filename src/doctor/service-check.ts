// Whether the machine brings a daemon back after a crash and a power cut, notices when it stands still, and copies its data every night.
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArchiveName } from '../backup/index.js'
import {
  DAEMONS,
  type DaemonName,
  type EnvRemark,
  layeredEnvironment,
  type SettingsSources,
  settingGroups,
} from '../config/index.js'
import { hasCode } from '../lib/errors.js'
import type { Clock } from '../lib/ports.js'
import type { CheckContext, DoctorCheck, ServicePlaces } from './check.js'
import { type Finding, fail, pass, warn } from './finding.js'

/** Checks the unit of a daemon, and its nightly copies. */
export const createServiceCheck = <C extends CheckContext & { readonly services: ServicePlaces }>(
  daemon: DaemonName,
  sourcesOf: (context: C) => SettingsSources,
): DoctorCheck<C> => ({
  name: 'service',
  limitMs: 10_000,
  async run(context) {
    const { services, clock } = context
    const sources = sourcesOf(context)
    const settingsFile = DAEMONS[daemon].fileForm === 'toml' ? sources.file?.path : sources.environment.envFile
    const remarks = sources.environment.filed?.remarks ?? []
    return serviceFindings({ daemon, settingsFile, remarks, secrets: namedSecrets(daemon, sources), services, clock })
  },
})

/** Files that the settings name for their secrets. */
function namedSecrets(daemon: DaemonName, sources: SettingsSources): readonly NamedSecret[] {
  const environment = layeredEnvironment(sources)
  return settingGroups(daemon)
    .flatMap(({ settings }) => settings.filter(({ secret }) => secret))
    .flatMap(({ name }) => {
      const path = environment.find(`${name}_FILE`)?.text.trim()
      return path ? [{ name, path }] : []
    })
}

/** A secret setting and the file that the settings name for it. */
interface NamedSecret {
  readonly name: string
  readonly path: string
}

interface ServiceQuestion {
  readonly daemon: DaemonName
  /** Undefined: the settings stand in no file, and no unit reads them. */
  readonly settingsFile: string | undefined
  /** Lines of an env file that systemd may read differently. */
  readonly remarks: readonly EnvRemark[]
  readonly secrets: readonly NamedSecret[]
  readonly services: ServicePlaces
  readonly clock: Pick<Clock, 'now'>
}

/** None for a daemon that is started by hand. */
function serviceFindings(question: ServiceQuestion): readonly Finding[] {
  const { daemon, services } = question
  if (question.settingsFile === undefined) return []
  const settingsFile = resolve(question.settingsFile)
  const unit = findUnit(services.unitDirs, `grinpay-${daemon}.service`)
  const lines = unit?.text.split('\n') ?? []
  const isOld = lines.some((line) => isReadBySystemd(line, settingsFile))
  const reads = isOld || lines.some((line) => readsSettings(line, settingsFile))
  if (!unit || !reads) return settingsFile.startsWith(`${services.settings}/`) ? [strayFinding(question, unit)] : []
  const old = isOld ? [oldUnitFinding(question, unit)] : []
  const wrong = [...old, ...unitFindings(question, unit), ...secretFindings(question, unit)]
  const copies = copyFindings(question, `${install(question)}, then what it prints`)
  return [...(wrong.length > 0 ? wrong : [pass(`${unit.path} starts it, and notices when it stands still`)]), ...copies]
}

/** The file is handed over, or named to the program. */
const readsSettings = (line: string, file: string): boolean =>
  /^LoadCredential=[^:]+:(.+)$/.exec(line)?.[1] === file ||
  (line.startsWith('ExecStart=') && line.split(/\s+/).includes(file))

/** As units of earlier versions do. */
const isReadBySystemd = (line: string, file: string): boolean => /^EnvironmentFile=-?(.+)$/.exec(line)?.[1] === file

const install = ({ daemon, settingsFile = '' }: ServiceQuestion): string =>
  `grinpay systemd install --daemon ${daemon} --settings ${resolve(settingsFile)}`

const strayFinding = (question: ServiceQuestion, unit: Unit | undefined): Finding =>
  warn(
    unit
      ? `${unit.path} reads other settings than ${question.settingsFile}`
      : 'no unit starts it: after a power cut it stays away',
    `${install(question)}, then what it prints`,
  )

/** A failure while a line of the file means something else to systemd. */
function oldUnitFinding(question: ServiceQuestion, { path }: Unit): Finding {
  const { settingsFile, remarks } = question
  const remedy = `${install(question)}, systemctl daemon-reload, systemctl restart grinpay-${question.daemon}`
  const what = `${path} is of an earlier version: systemd reads ${settingsFile} for the daemon (EnvironmentFile=)`
  const numbers = [...new Set(remarks.map(({ line }) => line))]
  return numbers.length === 0
    ? warn(`${what}, and not grinpay itself`, remedy)
    : fail(`${what}, and other settings in line ${numbers.join(', ')} than commands do`, remedy)
}

/** What a unit of ours has, and what its absence means. A drop-in may say it again: the last word counts. */
const DIRECTIVES: readonly {
  readonly name: string
  readonly isMissing: (value: string) => boolean
  readonly what: string
}[] = [
  {
    name: 'WatchdogSec',
    isMissing: (value) => /^(?:|0|infinity)$/.test(value),
    what: 'a standstill goes unnoticed (no WatchdogSec)',
  },
  {
    name: 'Type',
    isMissing: (value) => value !== 'notify' && value !== 'notify-reload',
    what: 'other units do not wait until it is ready (no Type=notify)',
  },
  {
    name: 'Restart',
    isMissing: (value) => value === '' || value === 'no',
    what: 'it stays down after a crash (no Restart)',
  },
]

function unitFindings(question: ServiceQuestion, { text, path }: Unit): readonly Finding[] {
  const { daemon, services } = question
  const missing = DIRECTIVES.filter(({ name, isMissing }) => isMissing(directiveOf(text, name)))
  const wants = join('multi-user.target.wants', `grinpay-${daemon}.service`)
  const isEnabled = services.unitDirs.some((each) => isThere(join(each, wants)))
  return [
    ...missing.map(({ what }) =>
      warn(`${path}: ${what}`, `${install(question)} --dry-run shows what differs from ours`),
    ),
    ...(isEnabled ? [] : [warn('it is not started when the machine is', `systemctl enable grinpay-${daemon}`)]),
  ]
}

/** The user of a unit reads its own folders; every other secret has to be handed over. */
function secretFindings(question: ServiceQuestion, { text, path }: Unit): readonly Finding[] {
  const handed = [...text.matchAll(/^LoadCredential(?:Encrypted)?=([^:\n]+):(.+)$/gm)]
  const names = handed.map(([, name = '']) => name)
  const gone = handed.filter(([, , file = '']) => isGone(file))
  const open = question.secrets.filter(
    (secret) => !names.includes(secret.name.toLowerCase()) && !isOwn(secret.path, text) && !isOpen(secret.path),
  )
  return [
    ...gone.map(([, name = '', file = '']) =>
      fail(
        `${path} hands over ${file}, which is not there: it does not start`,
        `put ${name.toUpperCase()} there, mode 0600`,
      ),
    ),
    ...open.map(({ name, path: file }) =>
      fail(
        `${path} does not hand over ${name}_FILE (${file}), which its user cannot read`,
        `${install(question)}, systemctl daemon-reload, systemctl restart grinpay-${question.daemon}`,
      ),
    ),
  ]
}

/** What lies in memory comes with the operator after every boot. */
const isGone = (file: string): boolean => !file.startsWith('/run/') && !existsSync(file)

const isOwn = (file: string, unit: string): boolean => {
  const states = directiveOf(unit, 'StateDirectory').split(' ').filter(Boolean)
  const folders = [...states.map((name) => join('/var/lib', name)), ...directiveOf(unit, 'ReadWritePaths').split(' ')]
  return folders.some((folder) => folder !== '' && file.startsWith(`${folder}/`))
}

const isOpen = (file: string): boolean => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0o004) & 0o004) !== 0

// Units as systemd finds them on this machine.

interface Unit {
  readonly path: string
  /** With its drop-ins behind it. */
  readonly text: string
}

/** With the drop-ins of all folders; undefined: no folder has it. */
function findUnit(folders: readonly string[], name: string): Unit | undefined {
  const folder = folders.find((each) => existsSync(join(each, name)))
  if (folder === undefined) return undefined
  const path = join(folder, name)
  const dropIns = folders.flatMap((each) => filesIn(join(each, `${name}.d`))).filter((file) => file.endsWith('.conf'))
  return { path, text: [path, ...dropIns].map(textOf).join('\n') }
}

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // unreadable for this user: its directives count as missing
  }
}

/** The last word of a unit about it; empty when it says none. */
const directiveOf = (text: string, name: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}=`))
    .at(-1)
    ?.slice(name.length + 1)
    .trim() ?? ''

/** Also a link that leads nowhere. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

// Whether a daemon's data is copied every night, and how old the newest copy is.

const DAY_MS = 86_400_000
const LATE_DAYS = 2
const LOST_DAYS = 8

interface CopiesCheckOptions {
  readonly daemon: DaemonName
  /** Where units are, and below which folder copies. */
  readonly services: { readonly unitDirs: readonly string[]; readonly copies: string }
  readonly clock: Pick<Clock, 'now'>
}

/** `remedy` makes the timer. */
function copyFindings({ daemon, services, clock }: CopiesCheckOptions, remedy: string): readonly Finding[] {
  const name = `grinpay-backup-${daemon}`
  const timer = findUnit(services.unitDirs, `${name}.timer`)
  if (!timer) return [warn('nothing copies its data: no timer for backups', remedy)]
  if (!services.unitDirs.some((each) => isThere(join(each, 'timers.target.wants', `${name}.timer`))))
    return [warn('nothing copies its data: the timer for backups is off', `systemctl enable --now ${name}.timer`)]
  return [ageFinding(join(services.copies, name), name, daemon, clock.now())]
}

function ageFinding(folder: string, name: string, daemon: DaemonName, now: number): Finding {
  const newest = newestIn(folder, daemon)
  const remedy = `systemctl start ${name}.service; journalctl -u ${name}`
  if (newest === 'closed') return warn(`${folder} is not ours to look into`, 'run the doctor as root')
  if (newest === undefined) return warn(`there is no copy of its data in ${folder} yet`, remedy)
  const days = (now - newest) / DAY_MS
  if (days < LATE_DAYS) return pass(`its data was copied within the last ${LATE_DAYS} days`)
  const text = `the newest copy of its data is ${Math.floor(days)} days old`
  return days < LOST_DAYS ? warn(text, remedy) : fail(text, remedy)
}

/** Epoch milliseconds. */
function newestIn(folder: string, daemon: DaemonName): number | 'closed' | undefined {
  try {
    const found = readdirSync(folder).flatMap((file) => parseArchiveName(file) ?? [])
    const times = found.filter((archive) => archive.daemon === daemon).map(({ at }) => at)
    return times.length === 0 ? undefined : Math.max(...times)
  } catch (thrown) {
    return hasCode(thrown, 'ENOENT') ? undefined : 'closed'
  }
}
