// A dry-run relay: answers like the real one, without storing events or asking authority and plugin.
import { existsSync } from 'node:fs'
import type { RelayConfig } from '../../../config/index.js'
import { idsIn } from '../../../nostr/event/index.js'
import type { Filter } from '../../../nostr/filter/index.js'
import { createRelay, createWritePolicy, type EventStore, type Relay, type Verifier } from '../../../relay/index.js'
import { type EventReader, openEventReader } from '../../../storage/index.js'
import { type SystemLog, systemClock, systemRandom } from '../../../system/index.js'
import { openListStore } from './lists.js'
import { policySettings } from './settings.js'

export interface TrialRelay {
  readonly relay: Pick<Relay, 'ingest'>
  close(): Promise<void>
}

const clock = systemClock

/** Throws DATABASE_OLDER and the like. A missing database is not an error. */
export async function openTrialRelay(
  config: RelayConfig,
  { verifier, log }: { readonly verifier: Verifier; readonly log: SystemLog },
): Promise<TrialRelay> {
  const { dbPath: path, relay: settings } = config
  const lists = (await openListStore({ dbPath: path, clock })).read()
  const rules = policySettings(config)
  const withoutAuthority = { ...rules, payMode: 'off', requireName: false } as const
  // With paid writing the whitelist does not apply, so it does not apply here either, although payments are not checked.
  const localRules = { ...withoutAuthority, whitelist: rules.payMode === 'off' ? rules.whitelist : undefined }
  const policy = createWritePolicy({ settings: localRules, lists: { current: () => lists }, clock, log })
  const reader = existsSync(path) ? await openEventReader({ path, clock }) : undefined
  const store = readOnlyStore(reader)
  const relay = createRelay({ settings, store, verifier, policy, clock, random: systemRandom, log })
  return {
    relay,
    async close() {
      await relay.stop()
      await reader?.close()
    },
  }
}

const EMPTY: Pick<EventStore, 'find' | 'count' | 'listSet'> = {
  find: () => ({ next: () => undefined }),
  count: () => ({ step: () => ({ count: 0, limited: false }) }),
  listSet: () => ({ listed: 0, step: () => [] }),
}

/** Reads stored events, but stores none. */
function readOnlyStore(reader: EventReader | undefined): EventStore {
  const reading = reader ?? EMPTY
  return {
    ...reading,
    append(events) {
      const known = storedIds(reading, { ids: events.map(({ event }) => event.id), tags: [] })
      return events.map(({ event }) => (known.has(event.id) ? 'duplicate' : 'stored'))
    },
    synced: async () => {},
    knows: () => false,
  }
}

function storedIds({ find }: Pick<EventStore, 'find'>, filter: Filter): ReadonlySet<string> {
  const found = new Set<string>()
  const query = find([filter])
  for (let page = query.next(); page !== undefined; page = query.next()) {
    for (const id of idsIn(page)) found.add(id)
  }
  return found
}
