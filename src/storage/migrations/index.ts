// Every step of each schema, forward only; the place in the list is the schema number, starting at 1.
import { tillSchema } from './001-till.js'
import { railsSchema } from './002-rails.js'
import { freshSlatesSchema } from './003-fresh-slates.js'
import { outputNoteSchema } from './004-output-note.js'
import { returnUrlColumn } from './005-return-url.js'
import { webhookReceiversSchema } from './006-webhook-receivers.js'
import { unsettledSchema } from './007-unsettled.js'
import { openRailsSchema } from './008-open-rails.js'
import { eventSchema } from './events-001.js'
import { nameSchema } from './names-001.js'

export const TILL_MIGRATIONS: readonly string[] = [
  tillSchema,
  railsSchema,
  freshSlatesSchema,
  outputNoteSchema,
  returnUrlColumn,
  webhookReceiversSchema,
  unsettledSchema,
  openRailsSchema,
]
export const NAME_MIGRATIONS: readonly string[] = [nameSchema]
export const EVENT_MIGRATIONS: readonly string[] = [eventSchema]
