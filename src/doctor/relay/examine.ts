// The doctor of a relay: its settings, then its checks in the order of the findings.
import { existsSync } from 'node:fs'
import type { RelayConfig, RelaySources } from '../../config/index.js'
import { isPrivateHost } from '../../lib/private-host.js'
import { SLOW_SIGNATURES, signatureCheck } from '../../nostr/keys/index.js'
import { type CheckFinding, checkNamesOf, type DoctorRequest, runChecks, usualWays } from '../check.js'
import { createClockCheck, originsOf } from '../clock-check.js'
import { createClusterCheck } from '../cluster-check.js'
import { pass, warn } from '../finding.js'
import { createServiceCheck } from '../service-check.js'
import { readSettings } from '../settings-check.js'
import { relayAddressCheck } from './address-check.js'
import type { RelayCheck, RelayDoctorContext } from './context.js'
import { relayDaemonCheck } from './daemon-check.js'
import { listsCheck, relayDatabaseCheck } from './database-check.js'
import { idleCheck } from './handshake.js'
import { namesCheck } from './names-check.js'
import { loadUsable } from './settings-check.js'
import { wrapsCheck } from './wraps-check.js'

/** How fast the relay can check signatures: by the C library, or in WebAssembly. */
const signaturesCheck: RelayCheck = {
  name: 'signatures',
  limitMs: 10_000,
  async run({ signatureCheck }) {
    const { text, remedy } = SLOW_SIGNATURES
    return [signatureCheck() === 'native' ? pass('signatures are checked by the C library') : warn(text, remedy)]
  },
}

/** systemd's own clock keeper makes it once it has heard a time server. */
const SYNCHRONIZED = '/run/systemd/timesync/synchronized'

/** Events and authentication of another time are refused. */
const relayClockCheck: RelayCheck = createClockCheck({
  hostsOf: clockHosts,
  harm: 'events of the present are refused',
  otherwise: () => (existsSync(SYNCHRONIZED) ? pass('kept right by systemd-timesyncd') : undefined),
})

/** Servers that the relay works with. Those of this machine, which have the same clock, only when there are no others. */
function clockHosts({ authority, policy, names, relay }: RelayConfig): readonly string[] {
  const asksAuthority = authority.mode === 'upstream' || policy.requireName || policy.payMode === 'write'
  const all = [
    ...(asksAuthority ? [authority.upstream] : []),
    ...(names?.pay ? [names.pay.url] : []),
    ...(names?.relays ?? []),
    ...relay.info.relayUrls,
  ].map((url) => new URL(url.replace(/^ws/, 'http')))
  const others = all.filter(({ hostname }) => !isPrivateHost(hostname))
  return originsOf((others.length > 0 ? others : all).map(({ href }) => href))
}

const CHECKS: readonly RelayCheck[] = [
  relayDatabaseCheck,
  listsCheck,
  createClusterCheck('relay', ({ log }: RelayConfig) => log),
  signaturesCheck,
  relayDaemonCheck,
  relayAddressCheck,
  wrapsCheck,
  namesCheck,
  relayClockCheck,
  createServiceCheck('relay', ({ sources }: RelayDoctorContext) => sources),
  idleCheck,
]

export const RELAY_CHECK_NAMES = checkNamesOf(CHECKS)

export interface RelayRequest extends DoctorRequest, Partial<Pick<RelayDoctorContext, 'signatureCheck'>> {
  readonly sources: RelaySources
}

export async function examineRelay(request: RelayRequest): Promise<readonly CheckFinding[]> {
  const parts = { ...usualWays(), signatureCheck, ...request }
  const { findings, config } = readSettings('relay', () => loadUsable(parts.sources))
  return runChecks({ daemon: 'relay', findings, checks: CHECKS, context: config && { ...parts, config } }, request)
}
