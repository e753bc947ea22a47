// GRINPAY_SOAK_MINUTES minutes, 2 by default, with about GRINPAY_SOAK_EVENTS events a second, 150 by default.
import { expect, test } from 'vitest'
import { runRelaySoak } from './relay-soak-run.js'

const MINUTES = Number(process.env.GRINPAY_SOAK_MINUTES ?? 2)
const PER_SECOND = Number(process.env.GRINPAY_SOAK_EVENTS ?? 150)
/** Until then the database's cache, 128 MiB, and the newest events fill their room. */
const LONG = 30
const FLAT_MB_PER_HOUR = 60

test(`a relay stays as it is for ${MINUTES} minutes`, async () => {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const { faults, ...report } = await runRelaySoak({ minutes: MINUTES, eventsPerSecond: PER_SECOND, print })
  print(JSON.stringify(report))
  expect(faults).toEqual([])
  expect(report.perSecond).toBeGreaterThan(PER_SECOND / 4)
  if (MINUTES >= LONG) expect(report.slopeOwnLater).toBeLessThan(FLAT_MB_PER_HOUR)
})
