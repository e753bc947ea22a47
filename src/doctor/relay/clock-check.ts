// This machine's clock: events and authentication of another time are refused.
import { existsSync } from 'node:fs'
import type { RelayConfig } from '../../config/index.js'
import { isPrivateHost } from '../../lib/private-host.js'
import { createClockCheck, originsOf } from '../clock-check.js'
import { pass } from '../finding.js'
import type { RelayCheck } from './context.js'

/** systemd's own clock keeper makes it once it has heard a time server. */
const SYNCHRONIZED = '/run/systemd/timesync/synchronized'

export const relayClockCheck: RelayCheck = createClockCheck({
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
