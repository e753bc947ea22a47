// Young payments are looked for every two seconds, so that a payer reads "seen" at once. It only decides when to look: what a look means is
// decided by the confirm pass alone.
import { toHex } from '../../lib/bytes.js'
import type { Payment, Settlement } from '../model.js'
import type { TillParts } from '../parts.js'
import { createPoolView, nodesNeeded } from './agreement.js'
import type { Tips } from './tips.js'

/** Milliseconds between the end of one look and the start of the next. */
export const FAST_LOOK_MS = 2000
/** A payment is looked for so fast while it is younger, milliseconds. */
const YOUNG_MS = 10 * 60_000
/** Payments of one look, the newest; a flood of others finds the usual pass. */
const MOST_YOUNG = 500
/** After a failure, and while a look changes nothing, the pause doubles up to this; the usual pass is not slower. */
const LONGEST_PAUSE_MS = 30_000

/** Settlements that no node's pool stands behind. */
const UNSEEN: ReadonlySet<Settlement> = new Set(['received', 'replied', 'abandoned'])

type FastLookParts = Pick<TillParts, 'store' | 'chain' | 'clock' | 'settings'> & {
  readonly tips: Pick<Tips, 'read'>
  readonly confirm: () => Promise<void>
}

/**
 * One look: asks for the pool once for all young payments that no node has shown yet. Those that are in it, and all young ones after a new
 * block, are checked now. Asks nothing while there is no young payment. A node that fails is not reported here: the confirm pass does.
 */
export function createFastLook({ store, chain, clock, settings, tips, confirm }: FastLookParts): () => Promise<void> {
  let tipBefore: number | undefined
  let kicked = ''
  let pauseMs = 0
  let restsUntil = Number.NEGATIVE_INFINITY

  function rest(): void {
    pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FAST_LOOK_MS, 2 * pauseMs))
    restsUntil = clock.monotonic() + pauseMs
  }

  async function inPool(payments: readonly Payment[]): Promise<readonly Payment[]> {
    const pool = createPoolView(chain)
    const shown = await Promise.all(
      payments.map(async ({ amount, excess }) => (await pool(nodesNeeded(amount, settings))).has(toHex(excess))),
    )
    return payments.filter((_, at) => shown[at])
  }

  async function toCheck(
    young: readonly Payment[],
  ): Promise<{ readonly tip: number; readonly ids: readonly string[] }> {
    const tip = await tips.read()
    const isNewBlock = tipBefore !== undefined && tip !== tipBefore
    const due = isNewBlock ? young : await inPool(young.filter(({ settlement }) => UNSEEN.has(settlement)))
    return { tip, ids: due.map(({ id }) => id) }
  }

  async function check(ids: readonly string[], tip: number, now: number): Promise<void> {
    const key = `${tip} ${ids}`
    if (key === kicked) rest()
    else pauseMs = 0
    kicked = key
    await store.hastenChecks(ids, now)
    await confirm()
  }

  return async () => {
    if (clock.monotonic() < restsUntil) return
    const now = clock.now()
    const young = await store.youngPayments({ from: now - YOUNG_MS, to: now, limit: MOST_YOUNG })
    if (young.length === 0) {
      tipBefore = undefined
      return
    }
    const found = await toCheck(young).catch(() => undefined)
    if (!found) return rest()
    tipBefore = found.tip
    if (found.ids.length > 0) await check(found.ids, found.tip, now)
    else pauseMs = 0
  }
}
