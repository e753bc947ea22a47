// npm run simulate -- --seed 4711 | --seeds 1..2000 [--trace] [--without FAULT,…]
import { parseArgs } from 'node:util'
import { FAULTS, type Fault, liveTillWorld } from './till/world.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    trace: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
  },
})
const without = values.without === '' ? [] : (values.without.split(',') as Fault[])
for (const one of without) if (!FAULTS.includes(one)) throw new Error(`--without ${one}: one of ${FAULTS.join(', ')}`)
const [first = 1, last = first] = (values.seed ?? values.seeds ?? '1..20').split('..').map(Number)
const begun = process.hrtime.bigint()
let days = 0
for (let seed = first; seed <= last; seed++) {
  const world = await liveTillWorld({ seed, without, ...(values.trace && { print: (line: string) => process.stderr.write(`${line}\n`) }) })
  days += world.days
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9
  console.log(
    `${seed} ${world.hash} ${world.days} days, ${world.invoices} invoices, ${world.payments} payments, ${world.faults} faults; ${((days * 60) / seconds).toFixed(1)} days a minute`,
  )
  for (const { invariant, what } of world.findings) console.log(`  ${invariant}: ${what}`)
}
