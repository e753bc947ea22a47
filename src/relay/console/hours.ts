// The chart of accepted events: one bar an hour, the last 24 of them.
import { type Plot, plotOf } from '../../console/index.js'
import type { RelayPast } from './history.js'
import { clockTime, count } from './words.js'

export interface HourChart extends Plot {
  /** First hour, middle and now. */
  readonly marks: readonly string[]
  readonly summary: string
  /** Newest first. */
  readonly rows: readonly { readonly hour: string; readonly accepted: string; readonly refused: string }[]
}

export function hourChart({ since, hours }: RelayPast): HourChart {
  const rows = hours.map((hour) => ({ ...hour, from: clockTime(hour.start) }))
  const last = rows.length - 1
  return {
    ...plotOf(rows, {
      value: ({ accepted }) => BigInt(accepted),
      title: ({ from, accepted, refused }) => `${from}: ${count(accepted)} accepted, ${count(refused)} refused`,
      label: (value) => count(Number(value)),
      usual: 10n,
    }),
    marks: [rows[0], rows[Math.floor(last / 2)], rows[last]].map((row) => row?.from ?? ''),
    summary: `${summaryOf(hours)}${since > (hours[0]?.start ?? 0) ? ` Counted since ${clockTime(since)} UTC.` : ''}`,
    rows: rows
      .map(({ from, accepted, refused }) => ({ hour: from, accepted: count(accepted), refused: count(refused) }))
      .reverse(),
  }
}

function summaryOf(hours: RelayPast['hours']): string {
  const [accepted, refused] = [
    hours.reduce((sum, hour) => sum + hour.accepted, 0),
    hours.reduce((sum, hour) => sum + hour.refused, 0),
  ]
  if (accepted + refused === 0) return 'No client sent an event in the last 24 hours.'
  return `Accepted in the last 24 hours: ${count(accepted)} events; refused: ${count(refused)}.`
}
