// What an encrypted slatepack costs a wallet that handed out 10,000 addresses: processor time of the signer that opens it.
import { readFileSync } from 'node:fs'
import { openKeychain } from '../src/grin/keychain/index.js'
import { addressOfSeed, armorSlateTo, readSlatepack } from '../src/grin/slatepack/index.js'
import { systemRandom } from '../src/system/index.js'
import { createSigner } from '../src/wallet/index.js'

const ADDRESSES = 10_000
const RECORDED = 'test/vectors/real/standard-plain/S1.slatepack'
const prefix = 'tgrin'

const keychain = openKeychain(new Uint8Array(32).fill(3))
const stranger = openKeychain(new Uint8Array(32).fill(4))
const { slate } = await readSlatepack(readFileSync(RECORDED, 'utf8'), { prefix })
const slatepackFor = (keys: typeof keychain, index: number): Promise<string> =>
  armorSlateTo([addressOfSeed(keys.addressSeed(0, index))], slate, { prefix, random: systemRandom })

/** Milliseconds of processor time. */
async function costOf(signer: ReturnType<typeof openSigner>, text: string): Promise<number> {
  const before = process.cpuUsage()
  const ranges = [{ account: 0, count: ADDRESSES }]
  await signer.readSlatepack(text, { prefix, ranges }).catch(() => undefined)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const openSigner = () =>
  createSigner({
    keychain,
    prover: { prove: () => Promise.reject(new Error('no proofs')), verify: async () => false },
    random: systemRandom.bytes,
    now: () => 0,
  })

const cases = [
  ['address 9,999 of 10,000', await slatepackFor(keychain, ADDRESSES - 1)],
  ['address 9,900', await slatepackFor(keychain, ADDRESSES - 100)],
  ['address 1, the last that is tried', await slatepackFor(keychain, 1)],
  ['none of them', await slatepackFor(stranger, 0)],
] as const

console.log('| Encrypted to | Cold, ms | Warm, ms |\n|---|---|---|')
for (const [name, text] of cases) {
  const signer = openSigner()
  const [cold, warm] = [await costOf(signer, text), await costOf(signer, text)]
  console.log(`| ${name} | ${cold.toFixed(0)} | ${warm.toFixed(0)} |`)
}
