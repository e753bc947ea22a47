// This machine's clock: events and authentication of another time are refused.
import { existsSync } from 'node:fs'
import type { RelayConfig } from '../../config/index.js'
import { isPrivateHost } from '../../lib/private-host.js'
import { skewsAgainst, verdictOn } from '../clock-check.js'
import { pass } from '../finding.js'
import type { RelayCheck } from './context.js'

/** systemd's own clock keeper makes it once it has heard a time server. */
const SYNCHRONIZED = '/run/systemd/timesync/synchronized'

export const relayClockCheck: RelayCheck = {
  name: 'clock',
  limitMs: 15_000,
  applies: () => true,
  async run(context) {
    const skews = await skewsAgainst(hostsOf(context.config), context)
    if (skews.length === 0 && existsSync(SYNCHRONIZED)) return [pass('kept right by systemd-timesyncd')]
    return [verdictOn(skews, 'events of the present are refused')]
  },
}

/** Whom the relay works with; others only when there are any: one of this machine has the same clock. */
function hostsOf({ authority, policy, names, relay }: RelayConfig): readonly string[] {
  const asksAuthority = authority.mode === 'upstream' || policy.requireName || policy.payMode === 'write'
  const all = [
    ...(asksAuthority ? [authority.upstream] : []),
    ...(names?.pay ? [names.pay.url] : []),
    ...(names?.relays ?? []),
    ...relay.info.relayUrls,
  ].map((url) => new URL(url.replace(/^ws/, 'http')))
  const others = all.filter(({ hostname }) => !isPrivateHost(hostname))
  return [...new Set((others.length > 0 ? others : all).map(({ origin }) => origin))]
}
