// node --import tsx bench/relay/fill-ours.ts SET FOLDER: a database of ours that holds a set, through the store's own append, its
// signatures trusted.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type EventText, eventText, type NostrEvent } from '../../src/nostr/event/index.js'
import { openEventStore } from '../../src/storage/index.js'
import { eventsOf } from './data/generated.js'
import { saveQueriesOf } from './data/queries.js'
import { isGenerated, type SetName } from './data/sets.js'
import { OUR_DATABASE } from './relays/ours.js'

const AT_ONCE = 1000
/** Events of a batch that queries of a generated set may name. */
const SAMPLED = 5
const REPORT_EVERY = 1_000_000

const [set, folder] = process.argv.slice(2) as [SetName, string]
mkdirSync(folder, { recursive: true })
const store = await openEventStore({ path: join(folder, OUR_DATABASE), clock: { now: Date.now } })
const counts: Record<string, number> = {}
const sample: NostrEvent[] = []
let batch: EventText[] = []
let appended = 0
let since = performance.now()

function append(): void {
  for (const kept of store.append(batch)) counts[kept] = (counts[kept] ?? 0) + 1
  appended += batch.length
  batch = []
  if (appended % REPORT_EVERY !== 0) return
  console.log(`${appended} events; the last ${REPORT_EVERY} in ${((performance.now() - since) / 1000).toFixed(0)} s`)
  since = performance.now()
}

for await (const event of eventsOf(set)) {
  const text = eventText(event)
  if (!text) throw new Error(`the id of ${event.id} is wrong`)
  batch.push(text)
  if (isGenerated(set) && batch.length <= SAMPLED) sample.push(event)
  if (batch.length === AT_ONCE) {
    append()
    await new Promise(setImmediate) // what the store does beside runs in turns
  }
}
append()
await store.close()
if (isGenerated(set)) saveQueriesOf(set, sample)
console.log(`${JSON.stringify(counts)} in ${folder}`)
