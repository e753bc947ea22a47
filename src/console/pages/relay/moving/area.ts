// Exports and imports of the relay's events, with their progress.
import type { ConsoleArea } from '../../../area.js'
import { createWatch } from '../../till/live.js'
import { exportAction, importAction, stopAction } from './actions.js'
import type { MoveDesk } from './desk.js'
import { downloadPage, movePage } from './page.js'

export function createMoveArea(desk: MoveDesk): ConsoleArea {
  const changes = createWatch(async () => desk.mark())
  return {
    id: 'relay-moves',
    pages: [movePage(desk), downloadPage(desk)],
    actions: [exportAction(desk), importAction(desk), stopAction(desk)],
    streams: [
      {
        path: '/relay/moves/live',
        least: 'viewer',
        async *events({ signal }) {
          for await (const data of changes(signal)) yield { event: 'change', data }
        },
      },
    ],
  }
}
