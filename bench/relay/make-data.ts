// node --import tsx bench/relay/make-data.ts NAME …: writes the sets that are missing; all of them when none is named.
import { closeSync, existsSync, openSync, renameSync, writeSync } from 'node:fs'
import { type EventSet, fileOf, isGenerated, SETS, type SetName, timeOf } from './data/sets.js'
import { createShapes } from './data/shapes.js'
import { createSource } from './data/source.js'
import { createWorld } from './data/world.js'

const AT_ONCE = 1000

/** Whole or not at all: the file gets its name at the end. */
function make(name: SetName): void {
  const path = fileOf(name)
  if (existsSync(path) || isGenerated(name)) return
  const set: EventSet = SETS[name]
  const shape = createShapes(createSource(`set ${name}`), createWorld(set.world))[set.shape]
  const begun = performance.now()
  const file = openSync(`${path}.part`, 'w')
  for (let first = 0; first < set.events; first += AT_ONCE) {
    const lines = Array.from(
      { length: AT_ONCE },
      (_, index) => `${JSON.stringify(shape(timeOf(set, first + index)))}\n`,
    )
    writeSync(file, lines.join(''))
  }
  closeSync(file)
  renameSync(`${path}.part`, path)
  console.log(`${name}: ${set.events} events in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
}

const names = process.argv.slice(2) as SetName[]
timeOf(SETS['20k'], 0) // decides the end of the stored time first
for (const name of names.length > 0 ? names : (Object.keys(SETS) as SetName[])) make(name)
