// Reads a whole answer, and waits for reader threads as the relay does.
import { setTimeout as pause } from 'node:timers/promises'
import { idsIn } from '../../../../src/nostr/event/index.js'
import type { Filter } from '../../../../src/nostr/filter/index.js'
import type { StoredQuery } from '../../../../src/relay/index.js'
import type { OpenEventStore } from '../../../../src/storage/events/event-store.js'

/** Ids in the order of the answer. `meanwhile` runs during every wait. */
export async function readAll(query: StoredQuery, meanwhile: () => void = () => {}): Promise<readonly string[]> {
  const ids: string[] = []
  for (;;) {
    const next = query.waiting ? query.waiting.next() : query.next()
    if (next === undefined) break
    if ('whenReady' in next) {
      meanwhile()
      await new Promise<void>((resolve) => next.whenReady(() => resolve()))
    } else ids.push(...idsIn(next))
  }
  query.waiting?.drop()
  return ids
}

/** The same on the main thread alone. */
export function readHere(query: StoredQuery): readonly string[] {
  const ids: string[] = []
  for (let page = query.next(); page; page = query.next()) ids.push(...idsIn(page))
  return ids
}

/** Resolves when this dear question is handed over. */
export async function untilReady(store: OpenEventStore, filters: readonly Filter[]): Promise<void> {
  for (;;) {
    const { waiting } = store.find(filters)
    const next = waiting?.next()
    waiting?.drop()
    if (next && 'whenReady' in next) return
    await pause(5)
  }
}
