// The name authority's part of the console.
import type { ConsoleArea, ConsoleStream } from '../../area.js'
import { createWatch } from '../till/live.js'
import { evictAction, liftAction, reserveAction, suspendAction, unreserveAction } from './changes.js'
import type { NameDesk } from './desk.js'
import { namePage } from './name.js'
import { namesPage } from './names.js'
import { offerPage, offersPage } from './offers.js'
import { reservedPage } from './reserved.js'

export const createNamesArea = (desk: NameDesk): ConsoleArea => ({
  id: 'names',
  pages: [namesPage, namePage, reservedPage, offersPage, offerPage].map((page) => page(desk)),
  actions: [reserveAction, unreserveAction, suspendAction, liftAction, evictAction].map((action) => action(desk)),
  streams: [liveStream(desk)],
})

/** Not below `/names`: that is the page of a name. An authority that is out of reach is a state like others. */
function liveStream(desk: NameDesk): ConsoleStream {
  const changes = createWatch(() => desk.changeMark().catch(() => 'out of reach'))
  return {
    path: '/names-live',
    least: 'viewer',
    async *events({ signal }) {
      for await (const data of changes(signal)) yield { event: 'change', data }
    },
  }
}
