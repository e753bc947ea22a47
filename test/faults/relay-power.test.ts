// The long form of test/e2e/relay-power.test.ts, with four times GRINPAY_FAULT_ROUNDS cuts, 400 by default.
import { expect, test } from 'vitest'
import { canCutPower } from './power-cut.js'
import { runPowerRounds } from './relay-power-rounds.js'

const CUTS = 4 * Number(process.env.GRINPAY_FAULT_ROUNDS ?? 100)

test.runIf(canCutPower)(`${CUTS} power cuts take nothing that was acknowledged after the disk had it`, async () => {
  const { faults, broken, ...report } = await runPowerRounds({ durability: 'fsync', seconds: 20, cuts: CUTS })
  console.log(report)
  expect([...broken, ...faults]).toEqual([])
  expect(report.checkpoints).toBeGreaterThan(0)
})
