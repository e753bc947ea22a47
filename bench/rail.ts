// The Nostr rail from outside: whole tills in processes of their own, a relay in another, customers here with everything made ahead.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Measurement } from './measurement.js'
import { railMemory } from './rail-memory.js'
import { railPayments } from './rail-payments.js'
import { startRelay } from './relay.js'

export const name = 'rail'

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
  const relay = await startRelay()
  try {
    const payments = await railPayments(join(folder, 'paid'), relay)
    return [...payments, ...(await railMemory(join(folder, 'watching'), relay))]
  } finally {
    await relay.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
