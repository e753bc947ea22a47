// A whole till that is started with a clock behind what its database has seen.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSandboxTill, sandboxTill } from '../support/sandbox-till.js'
import { DAY, grin, HOUR, MINUTE, NOON } from '../support/till-builders.js'

test('an invoice of before is not dated back, and the alarm is there with the first pass', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-clock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  let [now, ticks] = [NOON, 0]
  const clock = { now: () => now, monotonic: () => ticks, sleep: async () => undefined }
  async function start() {
    const { config } = await sandboxTill(join(folder, 'till'))
    return openSandboxTill(config, { clock })
  }
  const make = (till: Awaited<ReturnType<typeof start>>['till']) =>
    till.createInvoice({ amountNanogrin: grin(1), expirySecs: 3600 }).then(({ invoice }) => invoice)

  const before = await start()
  now += HOUR
  ticks += HOUR
  const { createdAt } = await make(before.till)
  await before.stop()
  now -= DAY
  const after = await start()
  const invoice = await make(after.till)
  expect(invoice.createdAt).toBe(createdAt)
  await after.till.passes.sweep()
  expect((await after.till.status()).alarms).toEqual([
    expect.stringContaining(`clock: it was ${DAY / MINUTE} minutes behind the newest time in the database`),
  ])
  await after.stop()
})
