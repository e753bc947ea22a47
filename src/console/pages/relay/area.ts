// The relay's part of the console.
import type { ConsoleArea } from '../../area.js'
import { liveStream } from '../live.js'
import type { RelayDesk } from './desk.js'
import { addAction, entryPage, removeAction } from './entry.js'
import { listsPage } from './lists.js'
import { relayPage } from './today.js'

export const createRelayArea = (desk: RelayDesk): ConsoleArea => ({
  id: 'relay',
  pages: [relayPage, listsPage, entryPage].map((page) => page(desk)),
  actions: [addAction, removeAction].map((action) => action(desk)),
  streams: [liveStream('/relay/live', async () => desk.mark())],
})
