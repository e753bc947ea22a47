// Amounts and times that no reader takes for others. Pure.
import type { Words } from './texts/index.js'

/**
 * A decimal with a point, as wallets take it. Three decimals get a zero: `1.500` means fifteen hundred where a point groups
 * thousands, `1.5000` does nowhere.
 */
export const unambiguous = (decimal: string): string => (/^\d+\.\d{3}$/.test(decimal) ? `${decimal}0` : decimal)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The time left in words, in whole units that have passed: `14 minutes left` from 15 minutes down to 14. */
export function timeLeft(expiresAt: number, now: number, { text, plural }: Words): string {
  const left = expiresAt - now
  if (left < MINUTE) return text('lessThanAMinuteLeft')
  if (left < 2 * HOUR) return plural('minutesLeft', Math.floor(left / MINUTE))
  if (left < 2 * DAY) return plural('hoursLeft', Math.floor(left / HOUR))
  return plural('daysLeft', Math.floor(left / DAY))
}
