// Exports and imports of the relay's events, with their progress.
import type { ConsoleArea } from '../../../area.js'
import { liveStream } from '../../live.js'
import { exportAction, importAction, stopAction } from './actions.js'
import type { MoveDesk } from './desk.js'
import { downloadPage, movePage } from './page.js'

export const createMoveArea = (desk: MoveDesk): ConsoleArea => ({
  id: 'relay-moves',
  pages: [movePage, downloadPage].map((page) => page(desk)),
  actions: [exportAction, importAction, stopAction].map((action) => action(desk)),
  streams: [liveStream('/relay/moves/live', async () => desk.mark())],
})
