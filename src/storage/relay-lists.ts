// The operator's lists beside relay.db: a JSON file that the daemon, commands and editors share.
import { setImmediate } from 'node:timers/promises'
import type { OperatorLists } from '../relay/index.js'
import { NO_LISTS } from '../relay/policy/lists.js'
import { type Document, openDocument, type SharedFile } from './documents.js'

/** Most relays have no such file: then the library of the schema, a tenth of the start, is not loaded. */
const schema = async () => (await import('./relay-lists-schema.js')).listsSchema

/** Throws DOCUMENT_DAMAGED. No file: empty lists. */
export const openRelayLists = (file: SharedFile): Promise<Document<OperatorLists>> =>
  openDocument({ ...file, schema, text: listsText, initial: NO_LISTS })

/** Entries that are written in one step of the event loop. */
const AT_ONCE = 1000

/** JSON with a line for each entry. Lists of 100,000 are 10 MB, so the event loop is free now and then. */
async function listsText({ info, ...lists }: OperatorLists): Promise<string> {
  const members: string[] = []
  for (const [name, entries] of Object.entries(lists)) {
    const lines: string[] = []
    for (const [entry, { reason, since }] of entries) {
      lines.push(`    ${JSON.stringify(entry)}: ${JSON.stringify({ reason, since })}`)
      if (lines.length % AT_ONCE === 0) await setImmediate()
    }
    members.push(`  "${name}": ${lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`}`)
  }
  await setImmediate()
  return `{\n${[...members, `  "info": ${JSON.stringify(info)}`].join(',\n')}\n}\n`
}
