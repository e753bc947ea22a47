// Whether a daemon's data is copied every night, and how old the newest copy is.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArchiveName } from '../backup/index.js'
import type { DaemonName } from '../config/index.js'
import { hasCode } from '../lib/errors.js'
import type { DoctorClock } from './check.js'
import { type Finding, fail, pass, warn } from './finding.js'
import { findUnit, isThere } from './installed-units.js'

const DAY_MS = 86_400_000
const LATE_DAYS = 2
const LOST_DAYS = 8

interface CopiesQuestion {
  readonly daemon: DaemonName
  /** Where units are, and below which folder copies. */
  readonly services: { readonly unitDirs: readonly string[]; readonly copies: string }
  readonly clock: Pick<DoctorClock, 'now'>
}

/** `remedy` makes the timer. */
export function copyFindings({ daemon, services, clock }: CopiesQuestion, remedy: string): readonly Finding[] {
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
