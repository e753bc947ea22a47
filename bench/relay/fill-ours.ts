// node --import tsx bench/relay/fill-ours.ts SET FOLDER: a database of ours that holds a set, through the store's own append, its
// signatures trusted.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type EventText, eventText } from '../../src/nostr/event/index.js'
import { openEventStore } from '../../src/storage/index.js'
import { linesOf } from './data/latest.js'
import { fileOf, type SetName } from './data/sets.js'
import { OUR_DATABASE } from './relays/ours.js'

const AT_ONCE = 1000

const [set, folder] = process.argv.slice(2) as [SetName, string]
mkdirSync(folder, { recursive: true })
const store = await openEventStore({ path: join(folder, OUR_DATABASE), clock: { now: Date.now } })
const counts: Record<string, number> = {}
let batch: EventText[] = []

function append(): void {
  for (const kept of store.append(batch)) counts[kept] = (counts[kept] ?? 0) + 1
  batch = []
}

for await (const { event } of linesOf(fileOf(set))) {
  const text = eventText(event)
  if (!text) throw new Error(`the id of ${event.id} is wrong`)
  batch.push(text)
  if (batch.length === AT_ONCE) {
    append()
    await new Promise(setImmediate) // what the store does beside runs in turns
  }
}
append()
await store.close()
console.log(`${JSON.stringify(counts)} in ${folder}`)
