// node --import tsx bench/cluster.ts: till, names and relay, each as one process with its file beside one, two and three front ends on
// PostgreSQL (three nodes on this machine, one standby must have every commit), in turns in one run. --rounds 5; --save writes cluster.json and
// cluster.md.
import { parseArgs } from 'node:util'
import { measureFrontEnds, type Row } from './scale/front-ends.js'
import { watchMachine } from './scale/machine.js'
import { names } from './scale/names.js'
import { relay } from './scale/relay.js'
import { save, savePage } from './scale/saved.js'
import { frontEndTable, machineLine } from './scale/tables.js'
import { till } from './scale/till.js'

const SERVICES = { till, names, relay }

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    only: { type: 'string', default: Object.keys(SERVICES).join(',') },
    save: { type: 'boolean' },
  },
})
const machine = watchMachine()
const rounds = Number(flags.rounds)
const rows: Row[] = []
for (const [name, service] of Object.entries(SERVICES)) {
  if (!flags.only.split(',').includes(name)) continue
  rows.push(...(await measureFrontEnds(service, rounds)))
  show()
}

/** After every service: a long run that is cut short has not measured for nothing. */
function show(): void {
  const measured = { machine: machine(), rounds, rows }
  const text = `${machineLine(measured.machine)} ${rounds} rounds.\n\n${frontEndTable(rows)}`
  console.log(`${text}\n`)
  if (!flags.save) return
  save('cluster.json', measured)
  savePage('cluster.md', { 'front ends': text })
}
