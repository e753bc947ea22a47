// This machine's clock: requests are signed with the time of their makers, and refused when ours is another one.
import type { NameauthConfig } from '../../config/index.js'
import { skewsAgainst, verdictOn } from '../clock-check.js'
import type { NameCheck } from './context.js'

export const nameClockCheck: NameCheck = {
  name: 'clock',
  limitMs: 15_000,
  applies: () => true,
  async run(context) {
    return [verdictOn(await skewsAgainst(hostsOf(context.config), context), 'signed requests are refused')]
  },
}

/** Servers of others; the relays, often on this machine, only when there are none. */
function hostsOf({ relays, transfers, pay }: NameauthConfig): readonly string[] {
  const others = [...(transfers?.nodeUrls ?? []), ...(pay ? [pay.url] : [])]
  const urls = others.length > 0 ? others : relays.map((url) => url.replace(/^ws/, 'http'))
  return [...new Set(urls.map((url) => new URL(url).origin))]
}
