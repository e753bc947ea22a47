// The nodes of a PostgreSQL cluster: one primary whose commits wait, standbys that follow it, clocks that agree; and the daemons that share it.
import type { DatabaseSettings } from '../config/index.js'
import type { DaemonName } from '../lib/daemon-names.js'
import { type ClusterNode, lookAtNodes, seenInstances } from '../storage/index.js'
import type { DoctorClock } from './check.js'
import { type Finding, fail, pass, warn } from './finding.js'
import { instanceFindings, MOST_SKEW_MS } from './instance-findings.js'

interface ClusterContext {
  readonly clock: DoctorClock
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
