export { createRelayArea } from './area.js'
export { listsTooLong } from './errors.js'
export { createMoveArea } from './moving/area.js'
export type { EventFile, EventFolder, ExportOrder, Move, Moves } from './moving/moves.js'
export {
  createRelayView,
  type RelayCheck,
  type RelayFigures,
  type RelaySource,
  type RelayView,
  type StoredAnswer,
  type StoredEvents,
} from './view.js'
