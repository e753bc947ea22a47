// The operator's lists beside relay.db: a JSON file that the daemon, commands and editors share.
import type { OperatorLists } from '../relay/index.js'
import { NO_LISTS } from '../relay/policy/lists.js'
import { type Document, openDocument, type SharedFile } from './documents.js'

/** Most relays have no such file: then the library of the schema, a tenth of the start, is not loaded. */
const schema = async () => (await import('./relay-lists-schema.js')).listsSchema

/** Throws DOCUMENT_DAMAGED. No file: empty lists. */
export const openRelayLists = (file: SharedFile): Promise<Document<OperatorLists>> =>
  openDocument({ ...file, schema, initial: NO_LISTS })
