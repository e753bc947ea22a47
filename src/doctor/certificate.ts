// How long the certificate of one of our public addresses still lasts. One that has ended is reported as an address that cannot be reached.
import type { ProbeAnswer } from './ask.js'
import { type Finding, fail, warn } from './finding.js'

const DAY_MS = 86_400_000
/** Programs renew a certificate a month before its end: at two weeks the renewal has failed for a while, at three days it is urgent. */
const WARN_DAYS = 14
const FAIL_DAYS = 3

/** None while it lasts for two weeks, and none for plain http. `now` in epoch milliseconds. */
export function certificateFindings(
  url: string,
  { certificateEnd }: Pick<ProbeAnswer, 'certificateEnd'>,
  now: number,
): readonly Finding[] {
  if (certificateEnd === undefined) return []
  const days = (certificateEnd - now) / DAY_MS
  if (days >= WARN_DAYS) return []
  const when = `${new Date(certificateEnd).toISOString().slice(0, 16)}Z`
  const judge = days < FAIL_DAYS ? fail : warn
  return [judge(`the certificate of ${new URL(url).host} ends ${leftText(days)}, at ${when}`, REMEDY)]
}

const REMEDY = 'renew it, and find out why that did not happen: certbot renew, or journalctl -u caddy'

function leftText(days: number): string {
  const whole = Math.floor(days)
  return whole < 1 ? 'within a day' : `in ${whole} ${whole === 1 ? 'day' : 'days'}`
}
