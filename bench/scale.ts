// node --import tsx bench/scale.ts: what a relay of internet scale would take, from the costs in bench/scale/measured.json.
// --measure measures them anew first; --save writes measured.json and bench/scale.md. Every figure of the model is a flag:
// --apply-us 60 --machine-euros 90; --connections, --writes and --events print one table for a target of your own.
import { parseArgs } from 'node:util'
import { figureNames, flagOf, type Values, valuesOf } from './scale/figures.js'
import { watchMachine } from './scale/machine.js'
import { readSaved, save, savePage } from './scale/saved.js'
import { figureTable, machineLine, SCENARIOS, scenarioTable, tillTable } from './scale/tables.js'

type Measured = ReturnType<typeof readSaved<'scale/measured.json'>>

const TARGET = ['connections', 'writes', 'events'] as const

const text = { type: 'string' } as const
const { values: flags } = parseArgs({
  options: {
    measure: { type: 'boolean' },
    save: { type: 'boolean' },
    ...Object.fromEntries([...TARGET, ...figureNames.map(flagOf)].map((flag) => [flag, text])),
  },
}) as { values: Readonly<Record<string, string | boolean | undefined>> }

const numberOf = (flag: string): number | undefined => (flags[flag] === undefined ? undefined : Number(flags[flag]))

function changedFigures(): Record<string, number> {
  const entries = figureNames.map((name) => [name, numberOf(flagOf(name))] as const)
  return Object.fromEntries(entries.filter((entry): entry is [(typeof entry)[0], number] => entry[1] !== undefined))
}

async function measure(): Promise<NonNullable<Measured>> {
  const machine = watchMachine()
  const { measureCosts } = await import('./scale/costs.js')
  const values = await measureCosts()
  return { machine: machine(), values }
}

const sections = (measured: Measured, values: Values): Readonly<Record<string, string>> => ({
  scenarios: SCENARIOS.map((scenario) => scenarioTable(scenario, values)).join('\n\n'),
  till: tillTable(readSaved('cluster.json')?.rows ?? [], values),
  figures: `${measured ? `${machineLine(measured.machine)}\n\n` : ''}${figureTable(values)}`,
})

const measured = flags.measure ? await measure() : readSaved('scale/measured.json')
if (flags.save && measured) save('scale/measured.json', measured)
const figures = valuesOf(measured?.values ?? {}, changedFigures())
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
  if (flags.save) savePage('scale.md', parts)
}
