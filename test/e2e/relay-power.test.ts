// A relay's database after power cuts; what is simulated stands in test/faults/power-cut.ts. Needs a C compiler, for the library that notes every write.
import { expect, test } from 'vitest'
import { canCutPower } from '../faults/power-cut.js'
import { runPowerRounds } from '../faults/relay-power-rounds.js'

test.runIf(canCutPower)('whatever was acknowledged after the disk had it survives a power cut', async () => {
  const { faults, broken, ...report } = await runPowerRounds({ durability: 'fsync', seconds: 6, cuts: 24 })
  expect([...broken, ...faults]).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(100)
  expect(report.syncs).toBeGreaterThan(10)
})

test.runIf(canCutPower)(
  'after the commit alone what was acknowledged may be lost, as the simulation shows, but the file stays whole',
  async () => {
    const { faults, broken } = await runPowerRounds({ durability: 'commit', seconds: 4, cuts: 24 })
    expect(broken).toEqual([])
    expect(faults.some((fault) => fault.includes(': lost '))).toBe(true)
  },
)
