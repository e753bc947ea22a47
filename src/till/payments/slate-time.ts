// Whether a slate's own time is over (its `ttl`, a block height).

import type { Tips } from '../confirmation/tips.js'
import { slateExpired, slateTimeUnknown } from '../errors.js'
import type { IncomingSlate } from '../parts.js'

/** A height this old still decides. */
const TIP_AGE_MS = 60_000

/** Throws SLATE_EXPIRED, and SLATE_TIME_UNKNOWN when a limit is set and no node tells the height. */
export async function checkSlateTime({ ttl }: Pick<IncomingSlate, 'ttl'>, tips: Tips): Promise<void> {
  if (ttl === 0n) return
  const height = await tips.recent(TIP_AGE_MS)
  if (height === undefined) throw slateTimeUnknown()
  if (ttl <= BigInt(height)) throw slateExpired(ttl, height)
}
