// All checks of the vectors that a page can run as well as Node. `runAll` takes a function that answers a file's content.
import { runChecks } from './check.mjs'
import { cryptoChecks } from './crypto.mjs'
import { REAL_COMPANIONS, realChecks } from './real.mjs'
import { runsChecks } from './runs.mjs'
import { walletChecks } from './wallet.mjs'

export const checks = { ...cryptoChecks, ...walletChecks, ...runsChecks, ...realChecks }

/** One value of each of these files is changed by a self-test, which has to be noticed. */
const CHANGES = {
  'crypto/commitments.json': (file) =>
    change(
      file.cases.find(({ ok }) => ok),
      'commit',
    ),
  'wallet/range_proofs.json': (file) => change(file.proofs[0], 'proof'),
  'wallet/keychain.json': (file) => change(file.wallets[0].outputs[0], 'rewind_nonce'),
  'wallet/slates.json': (file) => change(file.slates[0], 'bin'),
  'real/standard-plain/S1.json': (file) => change(file.sigs[0], 'xs'),
}

/** Another last digit. */
function change(of, member) {
  of[member] = `${of[member].slice(0, -1)}${of[member].endsWith('0') ? '1' : '0'}`
}

/** The results of all files, or, with changed vectors, of those that were changed. */
export async function runAll(load, { changed = false } = {}) {
  const files = changed ? Object.keys(CHANGES) : Object.keys(checks)
  const contents = await Promise.all(
    [...new Set([...files, ...REAL_COMPANIONS])].map(async (file) => [file, await load(file)]),
  )
  const vectors = Object.fromEntries(contents)
  if (changed) for (const [file, alter] of Object.entries(CHANGES)) alter(vectors[file])
  return runChecks(Object.fromEntries(files.map((file) => [file, checks[file]])), vectors)
}

/** Content of a vector file from its text. */
export const parsed = (file, text) => (file.endsWith('.json') ? JSON.parse(text) : text)
