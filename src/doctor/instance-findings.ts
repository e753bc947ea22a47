// The processes that share rows in PostgreSQL: of one version, with the same settings, and clocks that agree with the database.
import type { SeenInstance } from '../storage/index.js'
import { about, type Finding, pass, warn } from './finding.js'

/** Signed requests and leases bear more; a clock that is set by NTP is never as far off. */
export const MOST_SKEW_MS = 5000

/** Nothing for none: no daemon runs yet. */
export function instanceFindings(all: readonly SeenInstance[]): readonly Finding[] {
  const running = all.filter(({ isSilent }) => !isSilent)
  const labels = labelsOf(all)
  const labelOf = (instance: SeenInstance) => labels.get(instance.id) ?? instance.host
  const findings = [
    ...versionFindings(running, labelOf),
    ...settingFindings(running, labelOf),
    ...running.flatMap((instance) => about(labelOf(instance), clockFindings(instance))),
    ...all
      .filter((instance) => instance.isSilent && !hasSuccessor(instance, all))
      .flatMap((instance) => about(labelOf(instance), [silentFinding(instance)])),
  ]
  if (findings.length > 0 || running.length === 0) return findings
  return [pass(`${running.length} running: ${running.map(labelOf).join(', ')}`)]
}

type LabelOf = (instance: SeenInstance) => string

/** The machine; with the beginning of the id where one machine runs several. */
function labelsOf(instances: readonly SeenInstance[]): ReadonlyMap<string, string> {
  const isAlone = ({ host }: SeenInstance) => instances.filter((other) => other.host === host).length === 1
  return new Map(instances.map((one) => [one.id, isAlone(one) ? one.host : `${one.host} (${one.id.slice(0, 8)})`]))
}

/** It ended without a word, and was started again. */
const hasSuccessor = (instance: SeenInstance, all: readonly SeenInstance[]): boolean =>
  all.some(
    ({ host, daemon, seenAt }) => host === instance.host && daemon === instance.daemon && seenAt > instance.seenAt,
  )

function versionFindings(running: readonly SeenInstance[], labelOf: LabelOf): readonly Finding[] {
  const groups = grouped(running, ({ version }) => version, labelOf)
  if (groups.size < 2) return []
  const text = [...groups].map(([version, labels]) => `${version} on ${labels}`).join('; ')
  return [warn(`versions differ: ${text}`, 'finish the update: install the newest version on every machine')]
}

function settingFindings(running: readonly SeenInstance[], labelOf: LabelOf): readonly Finding[] {
  const names = [...new Set(running.flatMap(({ fingerprints }) => Object.keys(fingerprints)))]
  return names.flatMap((name) => {
    const having = running.filter(({ fingerprints }) => name in fingerprints)
    const groups = grouped(having, ({ fingerprints }) => fingerprints[name] ?? '', labelOf)
    if (groups.size < 2) return []
    const text = [...groups.values()].join(' and another one on ')
    return [warn(`${name} differs: one value on ${text}`, 'make it the same on every machine, and restart the daemons')]
  })
}

/** The labels of each group, as one text. */
function grouped(
  instances: readonly SeenInstance[],
  keyOf: (instance: SeenInstance) => string,
  labelOf: LabelOf,
): ReadonlyMap<string, string> {
  const groups = new Map<string, string>()
  for (const instance of instances) {
    const before = groups.get(keyOf(instance))
    groups.set(keyOf(instance), before === undefined ? labelOf(instance) : `${before}, ${labelOf(instance)}`)
  }
  return groups
}

function clockFindings({ clockAheadMs }: SeenInstance): readonly Finding[] {
  if (Math.abs(clockAheadMs) <= MOST_SKEW_MS) return []
  const text = `its clock is ${Math.round(Math.abs(clockAheadMs) / 1000)} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} the database`
  return [warn(text, 'set both by NTP: timedatectl set-ntp true')]
}

const silentFinding = ({ silentMs }: SeenInstance): Finding =>
  warn(
    `silent for ${Math.round(silentMs / 1000)} s without having stopped`,
    'look at that machine; a row without a process is forgotten after a day',
  )
