// Files of a service that were changed by hand stay when a setup is repeated, as they stay when units are installed.
import { existsSync, readFileSync } from 'node:fs'
import type { DaemonName } from '../../config/index.js'
import type { Plan, Step } from '../steps.js'
import { isStamped, standingOf } from './stamp.js'

/** Drops the steps that would write over a change by hand, and says for each file how to see the difference. Reads only. */
export function keepingHandChanges<P extends Plan>(plan: P, at: InstallPlaces): P {
  const kept = plan.steps.flatMap((step) => (isChangedByHand(step) ? [step.path] : []))
  if (kept.length === 0) return plan
  return {
    ...plan,
    steps: plan.steps.filter((step) => !kept.includes(step.path)),
    untouched: [
      ...plan.untouched,
      ...kept.map(
        (path) =>
          `${path}: changed by hand, so its text may not fit the settings; this shows the difference, with --force instead it takes ours:\n${commandFor(path, at)}`,
      ),
    ],
  }
}

function isChangedByHand(step: Step): boolean {
  if (step.kind !== 'replace') return false
  const wanted = step.content.reveal()
  return isStamped(wanted) && standingOf(readIfThere(step.path), wanted) === 'changed'
}

/** Undefined also for a file that cannot be read: the step that writes there reports why. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Whose files, from which settings, and where units go. */
export interface InstallPlaces {
  readonly daemon: DaemonName
  readonly settingsFile: string
  readonly unitDir: string
}

/** Shows the difference. */
function commandFor(path: string, { daemon, settingsFile, unitDir }: InstallPlaces): string {
  const settings = ` --settings ${settingsFile}`
  const isProxy = !path.startsWith(`${unitDir}/`)
  if (isProxy) {
    const kind = /nginx/i.test(path) ? 'nginx' : 'caddy'
    return `grinpay proxy install --kind ${kind} --daemon ${daemon}${settings} --to ${path} --dry-run`
  }
  const places = unitDir === '/etc/systemd/system' ? '' : `${settings} --dir ${unitDir}`
  return `grinpay systemd install --daemon ${daemon}${places} --dry-run`
}

/** Whether systemd holds the port of this unit: `systemd install --socket` made it so. */
export const hasSocketBeside = (unitFile: string): boolean => existsSync(unitFile.replace(/\.service$/, '.socket'))
