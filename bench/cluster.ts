// node --import tsx bench/cluster.ts: till, names and relay, each as one process with its file beside one, two and three front ends on
// PostgreSQL (three nodes on this machine, one standby must have every commit), in turns in one run. --rounds 5; --save writes cluster.json and
// cluster.md.
import { parseArgs } from 'node:util'
import { measureFrontEnds } from './scale/front-ends.js'
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
const chosen = Object.entries(SERVICES).filter(([name]) => flags.only.split(',').includes(name))

const machine = watchMachine()
const rounds = Number(flags.rounds)
const rows = await measureFrontEnds(
  chosen.map(([, service]) => service),
  rounds,
)
const measured = { machine: machine(), rounds, rows }
const text = `${machineLine(measured.machine)} ${rounds} rounds.\n\n${frontEndTable(rows)}`
console.log(text)
if (flags.save) {
  save('cluster.json', measured)
  savePage('cluster.md', { 'front ends': text })
}
