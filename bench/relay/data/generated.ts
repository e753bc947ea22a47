// Events of a set that is too large to sign and to keep as a file: right ids, the same shapes and accounts, random signatures. Filling a
// database through the store verifies none.
import { hash } from 'node:crypto'
import type { NostrEvent } from '../../../src/nostr/event/index.js'
import { linesOf } from './latest.js'
import { countOf, type EventSet, fileOf, isGenerated, SETS, type SetName, timeOf } from './sets.js'
import { createShapes } from './shapes.js'
import type { Signer } from './signer.js'
import { createSource } from './source.js'
import { createWorld } from './world.js'

/** `nonceBytes`: 32, which stand for both halves of the signature. */
const unsigned = (pubkey: string): Signer => ({
  pubkey,
  sign({ created_at, kind, tags, content }, nonceBytes) {
    const id = hash('sha256', JSON.stringify([0, pubkey, created_at, kind, tags, content]), 'hex')
    const half = nonceBytes.toString('hex')
    return { id, pubkey, created_at, kind, tags, content, sig: half + half }
  },
})

/** The same events each time, in the order of the set. */
function* generatedEvents(name: SetName): Generator<NostrEvent> {
  const set: EventSet = SETS[name]
  const { authors, recipients } = createWorld(set.world)
  const world = { authors: authors.map(({ pubkey }) => unsigned(pubkey)), recipients }
  const signerOf = (secretBytes: Buffer): Signer => unsigned(secretBytes.toString('hex'))
  const shape = createShapes(createSource(`set ${set.first?.of ?? name}`), world, signerOf)[set.shape]
  for (let index = 0; index < countOf(set); index++) yield shape(timeOf(set, index))
}

/** The events of any set, in its order. */
export async function* eventsOf(name: SetName): AsyncGenerator<NostrEvent> {
  if (isGenerated(name)) yield* generatedEvents(name)
  else for await (const { event } of linesOf(fileOf(name))) yield event
}
