// A relay's database after power cuts; what is simulated stands in test/faults/power-cut.ts. Needs a C compiler, for the library that notes every write.
import { expect, test } from 'vitest'
import { canCutPower } from '../faults/power-cut.js'
import { runPowerRounds } from '../faults/relay-power-rounds.js'

test.runIf(canCutPower)('whatever was acknowledged after the disk had it survives a power cut', async () => {
  const { faults, ...report } = await runPowerRounds({ durability: 'fsync', seconds: 6, cuts: 24 })
  expect(faults).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(100)
  expect(report.syncs).toBeGreaterThan(10)
})
