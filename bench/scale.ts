// node --import tsx bench/scale.ts: what a relay of internet scale would take, from the costs in bench/scale/measured.json.
// --measure costs|front-ends|all measures anew first; --save writes measured.json and bench/scale.md. Every figure of the model is a flag:
// --apply-us 60 --machine-euros 90; --connections, --writes and --events print one table for a target of your own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Costs } from './scale/costs.js'
import { figureNames, flagOf, type Values, valuesOf } from './scale/figures.js'
import type { Row } from './scale/front-ends.js'
import { type Machine, watchMachine } from './scale/machine.js'
import { figureTable, frontEndTable, machineLine, SCENARIOS, scenarioTable } from './scale/tables.js'

interface Measured {
  readonly costs?: { readonly machine: Machine; readonly values: Costs }
  readonly frontEnds?: { readonly machine: Machine; readonly rows: readonly Row[] }
}

const FILE = join(import.meta.dirname, 'scale/measured.json')
const PAGE = join(import.meta.dirname, 'scale.md')
const TARGET = ['connections', 'writes', 'events'] as const

const text = { type: 'string' } as const
const { values: flags } = parseArgs({
  options: {
    measure: text,
    save: { type: 'boolean' },
    ...Object.fromEntries([...TARGET, ...figureNames.map(flagOf)].map((flag) => [flag, text])),
  },
}) as { values: Readonly<Record<string, string | boolean | undefined>> }

const numberOf = (flag: string): number | undefined => (flags[flag] === undefined ? undefined : Number(flags[flag]))

function changedFigures(): Record<string, number> {
  const entries = figureNames.map((name) => [name, numberOf(flagOf(name))] as const)
  return Object.fromEntries(entries.filter((entry): entry is [(typeof entry)[0], number] => entry[1] !== undefined))
}

async function measure(what: string, known: Measured): Promise<Measured> {
  if (!['costs', 'front-ends', 'all'].includes(what)) throw new Error(`--measure costs, front-ends or all, not ${what}`)
  let measured = known
  if (what !== 'front-ends') {
    const machine = watchMachine()
    const { measureCosts } = await import('./scale/costs.js')
    const values = await measureCosts()
    measured = { ...measured, costs: { values, machine: machine() } }
  }
  if (what !== 'costs') {
    const machine = watchMachine()
    const [{ measureFrontEnds }, { names }] = await Promise.all([
      import('./scale/front-ends.js'),
      import('./scale/names.js'),
    ])
    const rows = await measureFrontEnds([names])
    measured = { ...measured, frontEnds: { rows, machine: machine() } }
  }
  return measured
}

function sections(measured: Measured, values: Values): Readonly<Record<string, string>> {
  return {
    scenarios: SCENARIOS.map((scenario) => scenarioTable(scenario, values)).join('\n\n'),
    figures: `${measured.costs ? `${machineLine(measured.costs.machine)}\n\n` : ''}${figureTable(values)}`,
    'front ends': measured.frontEnds
      ? `${machineLine(measured.frontEnds.machine)}\n\n${frontEndTable(measured.frontEnds.rows)}`
      : '',
  }
}

/** Each section between its markers; the text around them stays. */
function savePage(parts: Readonly<Record<string, string>>): void {
  let page = readFileSync(PAGE, 'utf8')
  for (const [name, part] of Object.entries(parts)) {
    const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`]
    const [from, to] = [page.indexOf(begin), page.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`${PAGE} has no place for ${name}`)
    page = `${page.slice(0, from)}${begin}${part}${page.slice(to)}`
  }
  writeFileSync(PAGE, page)
}

const saved: Measured = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
const measured = typeof flags.measure === 'string' ? await measure(flags.measure, saved) : saved
if (flags.save) writeFileSync(FILE, `${JSON.stringify(measured, null, 2)}\n`)
const figures = valuesOf(measured.costs?.values ?? {}, changedFigures())
if (TARGET.some((name) => flags[name] !== undefined)) {
  const target = {
    connections: numberOf('connections') ?? 1e5,
    writes: numberOf('writes') ?? 1000,
    events: numberOf('events') ?? 1e8,
  }
  console.log(scenarioTable({ title: 'Your target', target }, figures))
} else {
  const parts = sections(measured, figures)
  console.log(Object.values(parts).join('\n\n'))
  if (flags.save) savePage(parts)
}
