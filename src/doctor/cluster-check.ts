// The nodes of a PostgreSQL cluster: one primary whose commits wait, standbys that follow it, clocks that agree; and the daemons that share it.
import type { DatabaseSettings } from '../config/index.js'
import type { DaemonName } from '../lib/daemon-names.js'
import type { Clock } from '../lib/ports.js'
import { type ClusterNode, lookAtNodes, type SeenInstance, seenInstances } from '../storage/index.js'
import { about, type Finding, fail, pass, warn } from './finding.js'

interface ClusterContext {
  readonly clock: Clock
}

/** For the rows of one daemon; `databaseOf`: undefined where they are in a file. */
export const createClusterCheck = <Config, Context extends ClusterContext & { readonly config: Config }>(
  daemon: DaemonName,
  databaseOf: (config: Config) => DatabaseSettings | undefined,
) => ({
  name: 'cluster',
  limitMs: 20_000,
  applies: (config: Config) => databaseOf(config) !== undefined,
  async run({ config, clock }: Context): Promise<readonly Finding[]> {
    const database = databaseOf(config)
    if (database === undefined) return []
    const [nodes, instances] = await Promise.all([
      lookAtNodes(database, clock),
      // What keeps it from being read is a finding of the nodes, or of the check "database".
      seenInstances(daemon, database).catch(() => []),
    ])
    return [...clusterFindings(nodes), ...instanceFindings(instances)]
  },
})

/** One line about the cluster, and one about every node that needs something. */
export function clusterFindings(nodes: readonly ClusterNode[]): readonly Finding[] {
  const primaries = nodes.filter(({ role }) => role === 'primary')
  return [rolesFinding(primaries), ...nodes.flatMap((node) => nodeFindings(node, primaries.length))]
}

function rolesFinding(primaries: readonly ClusterNode[]): Finding {
  const hosts = primaries.map(({ host }) => host).join(' and ')
  if (primaries.length === 0) return fail('no node is the primary', 'promote the standby that has received most')
  if (primaries.length > 1)
    return fail(`${hosts} both say that they are the primary`, 'stop the one that no standby follows, and rebuild it')
  return pass(`the primary is ${hosts}`)
}

function nodeFindings(node: ClusterNode, primaries: number): readonly Finding[] {
  const ofNode = (finding: Finding): Finding => ({ ...finding, about: node.host })
  if (node.role === 'away')
    return [
      ofNode(
        node.hint === undefined
          ? warn(`does not answer: ${node.cause}`, 'start it, or check network, login and pg_hba.conf')
          : fail(`is not used: ${node.cause}`, node.hint),
      ),
    ]
  const { role, isSynchronous, followers, isFollowing, clockAheadMs } = node
  const findings: Finding[] = []
  if (role === 'primary' && !isSynchronous)
    findings.push(
      fail('its commits wait for no standby', "set synchronous_standby_names = 'ANY 1 (...)' on every node"),
    )
  if (role === 'primary' && followers < 2)
    findings.push(
      followers === 0
        ? fail('no standby follows it: changes are refused', 'start the standbys')
        : warn('one standby follows it: with the next loss changes are refused', 'start the other standby'),
    )
  if (role === 'standby' && !isFollowing && primaries > 0)
    findings.push(
      fail(
        'it receives nothing: its primary_conninfo may be wrong, or its log has gone another way than the primary',
        'read its log; if that cannot be continued: stop it, run CHECKPOINT on the primary, then pg_rewind (or pg_basebackup), start it',
      ),
    )
  if (Math.abs(clockAheadMs) > MOST_SKEW_MS)
    findings.push(
      warn(
        `its clock differs by ${Math.round(clockAheadMs / 1000)} s from this one`,
        'set both by NTP: timedatectl set-ntp true',
      ),
    )
  return findings.map(ofNode)
}

// The processes that share rows in PostgreSQL: of one version, with the same settings, and clocks that agree with the database.

/** Signed requests and leases bear more; a clock that is set by NTP is never as far off. */
const MOST_SKEW_MS = 5000

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
