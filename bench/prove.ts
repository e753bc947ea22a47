// One range proof, ours and in terms of the curve library alone; processor time in a warm process.
import { proveRangeWith } from '../src/grin/crypto/bulletproof/prove.js'
import { proveRange, type RangeProofInput, warmRangeProofs } from '../src/grin/crypto/index.js'
import { createLibrarySums } from './library-sums.js'
import { type Measurement, processorMs } from './measurement.js'

export const name = 'prove'

const input: RangeProofInput = {
  value: 60_000_000_000n,
  blind: 0x49239a6f3181ca22d26fae3f3f9e1a15833858e72a94ac8a9c160f48420064ben,
  rewindNonce: new Uint8Array(32).fill(1),
  privateNonce: new Uint8Array(32).fill(2),
  message: new Uint8Array(20).fill(3),
}

export async function run(): Promise<readonly Measurement[]> {
  const before = process.cpuUsage()
  warmRangeProofs()
  const { user, system } = process.cpuUsage(before)
  const ours = await processorMs(() => proveRange(input), 30, 15)
  const librarySums = createLibrarySums()
  const library = await processorMs(() => proveRangeWith(librarySums, input), 10)
  return [
    {
      what: 'one range proof',
      value: ours,
      unit: 'ms processor',
      ratio: { to: 'curve library alone', value: ours / library },
      target: { of: 'value', atMost: 65 },
    },
    { what: 'tables and rehearsal, once per thread', value: (user + system) / 1000, unit: 'ms processor' },
  ]
}
