// Fresh random cases: the packed library against Grin's Rust crates (`reference/`). Counts and how to repeat a case: README.md.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { liar } from './fresh-cases/liar.js'
import { type InstalledLibrary, installLibrary } from './fresh-cases/library.js'
import { openReference, referenceMissing } from './fresh-cases/reference.js'
import { reportOf } from './fresh-cases/report.js'
import { runCases } from './fresh-cases/run.js'

const SEED = process.env.GRINPAY_REFERENCE_SEED ?? randomBytes(6).toString('hex')
const CASES = Number(process.env.GRINPAY_REFERENCE_CASES ?? 2_000)
const { GRINPAY_REFERENCE_FAMILY: FAMILY, GRINPAY_REFERENCE_CASE: NUMBER } = process.env
const HOURS = 12
/** Of the wrong reference: a family has few cases there, and one that both sides refuse shows nothing, so not every seed would do. */
const WRONG_SEED = 'wrong'

describe.skipIf(referenceMissing !== '')(`the library against Grin's Rust crates ${referenceMissing}`, () => {
  let installed: InstalledLibrary
  beforeAll(async () => {
    installed = await installLibrary()
  })
  afterAll(() => installed?.remove())

  test('a reference that is wrong in one place is noticed by every family', { timeout: 600_000 }, async () => {
    const reference = liar(openReference())
    const { families } = await runCases({ seed: WRONG_SEED, cases: 200, library: installed.library, reference })
    reference.close()
    const deaf = [...families].filter(([, { differences }]) => differences === 0).map(([name]) => name)
    expect(families.size).toBeGreaterThan(30)
    expect(deaf).toEqual([])
  })

  test(`${CASES} fresh cases of seed ${SEED}`, { timeout: HOURS * 3_600_000 }, async () => {
    const reference = openReference()
    const tally = await runCases({
      seed: SEED,
      cases: CASES,
      ...(FAMILY && { family: FAMILY }),
      ...(NUMBER && { number: Number(NUMBER) }),
      library: installed.library,
      reference,
    })
    reference.close()
    console.log(reportOf(tally, SEED))
    expect(tally.differences).toEqual([])
  })
})
