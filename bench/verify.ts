// Checking one range proof, ours and in terms of the curve library alone; and reading one. Checking signatures of events. Processor time
// in a warm process.
import { verifyRangeWith } from '../src/grin/crypto/bulletproof/verify.js'
import { commit, proveRange, rewindRange, verifyRange } from '../src/grin/crypto/index.js'
import { createLibrarySums } from './library-sums.js'
import { type Measurement, processorMs } from './measurement.js'
import { measureSignatures } from './signatures.js'

export const name = 'verify'

const rewindNonce = new Uint8Array(32).fill(1)

export async function run(): Promise<readonly Measurement[]> {
  const commitment = commit(60_000_000_000n, 12345n)
  const proof = proveRange({ value: 60_000_000_000n, blind: 12345n, rewindNonce })
  const ours = await processorMs(() => verifyRange(commitment, proof), 60, 30)
  const librarySums = createLibrarySums()
  const library = await processorMs(() => verifyRangeWith(librarySums, { commitment, proof }), 20)
  return [
    {
      what: 'checking one range proof',
      value: ours,
      unit: 'ms processor',
      ratio: { to: 'curve library alone', value: ours / library },
      target: { of: 'value', atMost: 20 },
    },
    {
      what: 'rewinding one range proof',
      value: await processorMs(() => rewindRange(commitment, proof, rewindNonce), 200, 100),
      unit: 'ms processor',
      target: { of: 'value', atMost: 1 },
    },
    ...(await measureSignatures()),
  ]
}
