export {
  type EventTemplate,
  eventId,
  hasTrueId,
  isGenuine,
  type NostrEvent,
  type RandomBytes,
  signEvent,
  signWith,
  type UnsignedEvent,
} from './event.js'
export { parseEvent, parseUnsigned } from './parse.js'
