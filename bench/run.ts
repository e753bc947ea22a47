// npm run bench [-- NAME …] [-- --save]: measures, prints figure, ratio and bar; --save writes bench/baseline.json with date and
// cores, and the table of bench/results.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileOf, type Measurement, type Subject } from './measurement.js'
import { type Baseline, line, writePage } from './report.js'

const SUBJECTS = [
  'prove',
  'verify',
  'receive',
  'unwrap',
  'store',
  'reports',
  'http',
  'create',
  'rail',
  'console',
  'console-names',
  'console-relay',
  'names',
  'relay-live',
  'command',
  'idle',
  'relay-publish',
  'relay-loop',
  'relay-queries',
  'relay-fan-out',
  'relay-life',
  'relay-compare',
  'relay-strfry',
] as const
const BASELINE = join(import.meta.dirname, 'baseline.json')

const words = process.argv.slice(2)
const wanted = words.filter((word) => !word.startsWith('--'))
const results: Record<string, readonly Measurement[]> = {}
for (const name of SUBJECTS.filter((subject) => wanted.length === 0 || wanted.includes(subject))) {
  const { run } = (await import(fileOf(name))) as Subject
  console.log(`\n${name}`)
  results[name] = await run()
  for (const measurement of results[name]) console.log(`  ${line(measurement)}`)
  if (words.includes('--save')) save({ [name]: results[name] })
}

/** After every subject: a long run that is cut short has not measured for nothing. */
function save(measured: Baseline['results']): void {
  const machine = {
    date: new Date().toISOString().slice(0, 10),
    cores: cpus().length,
    processor: cpus()[0]?.model ?? '',
    node: process.version,
  }
  const known = { ...readBaseline().results, ...measured }
  const inOrder = Object.fromEntries(SUBJECTS.flatMap((name) => (known[name] ? [[name, known[name]]] : [])))
  const baseline: Baseline = { machine, results: inOrder }
  writeFileSync(BASELINE, `${JSON.stringify(baseline, null, 2)}\n`)
  writePage(baseline)
}

function readBaseline(): Baseline {
  try {
    return JSON.parse(readFileSync(BASELINE, 'utf8')) as Baseline
  } catch {
    return { results: {} }
  }
}
