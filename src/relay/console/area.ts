// The relay's part of the console.
import { type ConsoleArea, liveStream } from '../../console/index.js'
import { addAction, entryPage, removeAction } from './entry.js'
import { listsPage } from './lists.js'
import { relayPage } from './today.js'
import type { OpenRelay } from './view.js'

/** `mark` differs when open pages shall load themselves again. Cheap. */
export const createRelayArea = (open: OpenRelay, mark: () => string): ConsoleArea => ({
  id: 'relay',
  pages: [relayPage, listsPage, entryPage].map((page) => page(open)),
  actions: [addAction, removeAction].map((action) => action(open)),
  streams: [liveStream('/relay/live', async () => mark())],
})
