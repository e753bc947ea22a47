// The till's loops as data: which pass runs how often. The composition turns each into a loop.
import { REPEAT_ALARMS_MS } from './alarms.js'
import type { Till } from './api.js'
import { CONFIRM_EVERY_SECONDS } from './confirmation/confirm.js'
import { FAST_LOOK_MS } from './confirmation/fast-look.js'

export interface TillLoop {
  readonly name: string
  /** Milliseconds between the end of one pass and the start of the next. */
  readonly everyMs: number
  /** The signal aborts when the daemon stops. */
  readonly pass: (signal?: AbortSignal) => Promise<void>
}

const SECOND = 1000

/** `confirmEverySeconds` as in `TillParts`. */
export const tillLoops = (
  { passes, settings }: Pick<Till, 'passes' | 'settings'>,
  confirmEverySeconds: number = CONFIRM_EVERY_SECONDS,
): readonly TillLoop[] => [
  { name: 'expire invoices', everyMs: 30 * SECOND, pass: () => passes.sweep() },
  // Each second there is a key to spare.
  { name: 'issue invoice slates', everyMs: SECOND, pass: (signal) => passes.issueSlates(signal) },
  { name: 'confirm payments', everyMs: confirmEverySeconds * SECOND, pass: () => passes.confirm() },
  { name: 'look for young payments', everyMs: FAST_LOOK_MS, pass: () => passes.look() },
  { name: 'push transactions', everyMs: 30 * SECOND, pass: () => passes.push() },
  // One for each receiver: a pass lasts as long as its receiver is slow.
  ...settings.webhooks.map(({ receiver }) => ({
    name: receiver === 1 ? 'deliver webhooks' : `deliver webhooks to receiver ${receiver}`,
    everyMs: 10 * SECOND,
    pass: () => passes.deliver(receiver),
  })),
  { name: 'rotate receiving keys', everyMs: 30 * SECOND, pass: () => passes.rotate() },
  ...(passes.shareAlarms ? [{ name: 'share alarms', everyMs: REPEAT_ALARMS_MS, pass: passes.shareAlarms }] : []),
]
