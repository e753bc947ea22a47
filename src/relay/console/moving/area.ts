// Exports and imports of the relay's events, with their progress.
import { type ConsoleArea, liveStream } from '../../../console/index.js'
import { exportAction, importAction, stopAction } from './actions.js'
import type { Moves } from './moves.js'
import { downloadPage, movePage } from './page.js'

export const createMoveArea = (moves: Moves): ConsoleArea => ({
  id: 'relay-moves',
  pages: [movePage, downloadPage].map((page) => page(moves)),
  actions: [exportAction, importAction, stopAction].map((action) => action(moves)),
  streams: [liveStream('/relay/moves/live', async () => moves.mark())],
})
