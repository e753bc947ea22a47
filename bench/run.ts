// npm run bench [-- NAME …] [-- --save]: measures, prints figure, ratio and bar; --save writes bench/baseline.json with date and cores.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Measurement, meetsTarget, type Subject } from './measurement.js'

const SUBJECTS = ['prove', 'verify', 'receive', 'store', 'http', 'create', 'command', 'idle'] as const
const BASELINE = join(import.meta.dirname, 'baseline.json')

const round = (value: number): number => Number(value.toPrecision(4))

function barOf({ target }: Measurement): string {
  if (!target) return ''
  const bound = target.atMost !== undefined ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`
  return target.of === 'ratio' ? `${bound} ×` : bound
}

function line(measurement: Measurement): string {
  const { what, value, unit, ratio } = measurement
  const met = meetsTarget(measurement)
  const verdict = met === undefined ? '' : met ? 'met' : 'MISSED'
  const against = ratio ? `${round(ratio.value)} × ${ratio.to}` : ''
  return `${what.padEnd(52)} ${`${round(value)} ${unit}`.padEnd(20)} ${against.padEnd(36)} ${barOf(measurement).padEnd(10)} ${verdict}`
}

const words = process.argv.slice(2)
const wanted = words.filter((word) => !word.startsWith('--'))
const results: Record<string, readonly Measurement[]> = {}
for (const name of SUBJECTS.filter((subject) => wanted.length === 0 || wanted.includes(subject))) {
  const { run } = (await import(`./${name}.js`)) as Subject
  console.log(`\n${name}`)
  results[name] = await run()
  for (const measurement of results[name]) console.log(`  ${line(measurement)}`)
}

if (words.includes('--save')) {
  const before = readBaseline()
  const machine = { date: new Date().toISOString().slice(0, 10), cores: cpus().length, node: process.version }
  writeFileSync(
    BASELINE,
    `${JSON.stringify({ ...before, machine, results: { ...before.results, ...results } }, null, 2)}\n`,
  )
}

function readBaseline(): { results: Record<string, readonly Measurement[]> } {
  try {
    return JSON.parse(readFileSync(BASELINE, 'utf8')) as { results: Record<string, readonly Measurement[]> }
  } catch {
    return { results: {} }
  }
}
