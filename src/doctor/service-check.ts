// Whether the machine brings a daemon back after a crash and a power cut, notices when it stands still, and copies its data every night.
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArchiveName } from '../backup/index.js'
import type { DaemonName } from '../config/index.js'
import type { DoctorClock } from './check.js'
import { type Finding, fail, pass, warn } from './finding.js'

/** Where a machine keeps units and copies; others in tests. */
export interface ServicePlaces {
  /** As systemd looks for units, the first that has one counts. */
  readonly unitDirs: readonly string[]
  /** What is below it: `grinpay-backup-pay` and the like. */
  readonly copies: string
  /** Settings below it belong to a service; others may be started by hand. */
  readonly settings: string
}

export const SERVICE_PLACES: ServicePlaces = {
  unitDirs: ['/etc/systemd/system', '/run/systemd/system', '/usr/local/lib/systemd/system', '/usr/lib/systemd/system'],
  copies: '/var/lib',
  settings: '/etc',
}

/** A secret setting and the file that the settings name for it. */
export interface NamedSecret {
  readonly name: string
  readonly path: string
}

export interface ServiceQuestion {
  readonly daemon: DaemonName
  /** Undefined: the settings stand in no file, and no unit reads them. */
  readonly settingsFile: string | undefined
  readonly secrets: readonly NamedSecret[]
  readonly services: ServicePlaces
  readonly clock: Pick<DoctorClock, 'now'>
}

/** None for a daemon that somebody starts by hand. */
export function serviceFindings(question: ServiceQuestion): readonly Finding[] {
  const { daemon, services } = question
  if (question.settingsFile === undefined) return []
  const settingsFile = resolve(question.settingsFile)
  const unit = findUnit(services.unitDirs, `grinpay-${daemon}.service`)
  const reads = unit?.text.split('\n').some((line) => readsSettings(line, settingsFile)) === true
  if (!unit || !reads) return settingsFile.startsWith(`${services.settings}/`) ? [strayFinding(question, unit)] : []
  const wrong = [...unitFindings(question, unit), ...secretFindings(question, unit)]
  const copies = copyFindings(question)
  return [...(wrong.length > 0 ? wrong : [pass(`${unit.path} starts it, and notices when it stands still`)]), ...copies]
}

interface Unit {
  readonly path: string
  /** With its drop-ins behind it. */
  readonly text: string
  readonly folder: string
}

function findUnit(folders: readonly string[], name: string): Unit | undefined {
  const folder = folders.find((each) => existsSync(join(each, name)))
  if (folder === undefined) return undefined
  const path = join(folder, name)
  const dropIns = folders.flatMap((each) => filesIn(join(each, `${name}.d`))).filter((file) => file.endsWith('.conf'))
  return { path, folder, text: [path, ...dropIns].map(textOf).join('\n') }
}

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // not ours to read: what is missing then is told as missing
  }
}

/** An env file, or the TOML file of a relay. */
const readsSettings = (line: string, file: string): boolean =>
  line === `EnvironmentFile=${file}` ||
  line === `EnvironmentFile=-${file}` ||
  (line.startsWith('ExecStart=') && line.split(/\s+/).includes(file))

const install = ({ daemon, settingsFile = '' }: ServiceQuestion): string =>
  `grinpay systemd install --daemon ${daemon} ${daemon === 'relay' ? '--config' : '--env-file'} ${resolve(settingsFile)}`

const strayFinding = (question: ServiceQuestion, unit: Unit | undefined): Finding =>
  warn(
    unit
      ? `${unit.path} reads other settings than ${question.settingsFile}`
      : 'no unit starts it: after a power cut it stays away',
    `${install(question)}, then what it prints`,
  )

/** What a unit of ours has, and what its absence means. A drop-in may say it again: the last word counts. */
const DIRECTIVES: readonly {
  readonly name: string
  readonly isMissing: (value: string) => boolean
  readonly what: string
}[] = [
  {
    name: 'WatchdogSec',
    isMissing: (value) => /^(?:|0|infinity)$/.test(value),
    what: 'nobody notices when it stands still (no WatchdogSec)',
  },
  {
    name: 'Type',
    isMissing: (value) => value !== 'notify' && value !== 'notify-reload',
    what: 'nobody waits until it is ready (no Type=notify)',
  },
  {
    name: 'Restart',
    isMissing: (value) => value === '' || value === 'no',
    what: 'nobody starts it again after a crash (no Restart)',
  },
]

function unitFindings(question: ServiceQuestion, { text, path, folder }: Unit): readonly Finding[] {
  const { daemon, services } = question
  const missing = DIRECTIVES.filter(({ name, isMissing }) => isMissing(directiveOf(text, name)))
  const wants = join(folder, 'multi-user.target.wants', `grinpay-${daemon}.service`)
  const isEnabled = services.unitDirs.some((each) => isThere(join(each, wants.slice(folder.length))))
  return [
    ...missing.map(({ what }) =>
      warn(`${path}: ${what}`, `${install(question)} --dry-run shows what differs from ours`),
    ),
    ...(isEnabled ? [] : [warn('it is not started when the machine is', `systemctl enable grinpay-${daemon}`)]),
  ]
}

const directiveOf = (text: string, name: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}=`))
    .at(-1)
    ?.slice(name.length + 1)
    .trim() ?? ''

/** Also a link that leads nowhere. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** The user of a unit reads its own folders; any other secret has to be handed over. */
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

const DAY_MS = 86_400_000
const LATE_DAYS = 2
const LOST_DAYS = 8

function copyFindings(question: ServiceQuestion): readonly Finding[] {
  const { daemon, services, clock } = question
  const name = `grinpay-backup-${daemon}`
  const timer = findUnit(services.unitDirs, `${name}.timer`)
  if (!timer)
    return [warn('nothing copies its data: no timer for backups', `${install(question)}, then what it prints`)]
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
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT' ? undefined : 'closed'
  }
}
