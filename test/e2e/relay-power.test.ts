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

test.runIf(canCutPower)(
  'what was acknowledged after the commit alone may be lost then, and the simulation shows it',
  async () => {
    const { faults } = await runPowerRounds({ durability: 'commit', seconds: 4, cuts: 24 })
    expect(faults).toContainEqual(expect.stringMatching(/: lost /))
    // Never more than that.
    expect(faults.filter((fault) => !fault.includes(': lost '))).toEqual([])
  },
)
