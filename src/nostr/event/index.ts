export {
  type EventTemplate,
  eventId,
  hasTrueId,
  isGenuine,
  type NostrEvent,
  newestFirst,
  signEvent,
  signWith,
  type UnsignedEvent,
} from './event.js'
export {
  AUTH_KIND,
  classOf,
  type EventClass,
  GIFT_WRAP_KIND,
  HTTP_AUTH_KIND,
  identifierOf,
  PUBLIC_RELAYS_KIND,
  RELAY_LIST_KIND,
  RUMOR_KIND,
  SEAL_KIND,
} from './kinds.js'
export { parseEvent, parseUnsigned } from './parse.js'
export { authorOfText, type EventText, eventText, idOfText, kindOfText, textHasTag, weightOf } from './text.js'
export {
  authorAt,
  compareIds,
  createdAt,
  hasTagAt,
  idAt,
  idStartAt,
  kindAt,
  type TagHead,
  tagHead,
  writtenValue,
} from './text-fields.js'
