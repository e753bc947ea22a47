// npm run bench:compare: measures again and holds the ratios (not the absolute figures) against bench/baseline.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileOf, type Measurement, type Subject } from './measurement.js'
import type { Baseline } from './report.js'

/** A ratio that got worse by more than this is named. Shared machines wobble by about a tenth. */
const TOLERANCE = 0.25

/** How much worse than the baseline, e.g. 0.3 = 30 %. The bar says which direction is worse; what has none is not judged. */
function worsening(now: Measurement, then: Measurement): number | undefined {
  if (!now.target || !now.ratio || !then.ratio || now.ratio.to !== then.ratio.to) return undefined
  const change = now.ratio.value / then.ratio.value - 1
  return now.target.atLeast !== undefined ? -change : change
}

const baseline = JSON.parse(readFileSync(join(import.meta.dirname, 'baseline.json'), 'utf8')) as Baseline
let worse = 0
for (const [name, before] of Object.entries(baseline.results)) {
  const { run } = (await import(fileOf(name))) as Subject
  for (const now of await run()) {
    const then = before.find(({ what }) => what === now.what)
    const change = then && worsening(now, then)
    if (change === undefined) continue
    const verdict = change > TOLERANCE ? 'WORSE' : 'fine'
    if (change > TOLERANCE) worse += 1
    console.log(`${verdict.padEnd(6)} ${name}: ${now.what}: ${(change * 100).toFixed(0)} %`)
  }
}
process.exitCode = worse === 0 ? 0 : 1
