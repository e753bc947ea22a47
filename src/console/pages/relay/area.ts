// The relay's part of the console.
import type { ConsoleArea } from '../../area.js'
import { createWatch } from '../till/live.js'
import type { RelayDesk } from './desk.js'
import { addAction, entryPage, removeAction } from './entry.js'
import { listsPage } from './lists.js'
import { relayPage } from './today.js'

export function createRelayArea(desk: RelayDesk): ConsoleArea {
  const changes = createWatch(async () => desk.mark())
  return {
    id: 'relay',
    pages: [relayPage, listsPage, entryPage].map((page) => page(desk)),
    actions: [addAction, removeAction].map((action) => action(desk)),
    streams: [
      {
        path: '/relay/live',
        least: 'viewer',
        async *events({ signal }) {
          for await (const data of changes(signal)) yield { event: 'change', data }
        },
      },
    ],
  }
}
