// Every step of each schema, forward only; the place in the list is the schema number, starting at 1.
import { tillSchema } from './001-till.js'
import { railsSchema } from './002-rails.js'
import { consoleSchema, passkeySchema } from './console.js'
import { eventSchema, marksByDeletionSchema } from './events.js'
import {
  freshSlatesSchema,
  openRailsSchema,
  outputNoteSchema,
  receiverFailuresSchema,
  returnUrlColumn,
  saleFactsColumns,
  unsettledSchema,
  usesSchema,
  webhookReceiversSchema,
} from './later-steps.js'
import { heldNamesSchema, nameSchema } from './names.js'

export const TILL_MIGRATIONS: readonly string[] = [
  tillSchema,
  railsSchema,
  freshSlatesSchema, // 3
  outputNoteSchema,
  returnUrlColumn,
  webhookReceiversSchema, // 6
  unsettledSchema,
  openRailsSchema,
  saleFactsColumns, // 9
  usesSchema,
  receiverFailuresSchema,
]
export const NAME_MIGRATIONS: readonly string[] = [nameSchema, heldNamesSchema]
export const EVENT_MIGRATIONS: readonly string[] = [eventSchema, marksByDeletionSchema]
export const CONSOLE_MIGRATIONS: readonly string[] = [consoleSchema, passkeySchema]
