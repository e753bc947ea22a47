// The name authority's part of the console.
import type { ConsoleArea } from '../../area.js'
import { liveStream } from '../live.js'
import { changeActions } from './change-actions.js'
import type { NameDesk } from './desk.js'
import { namePage } from './name.js'
import { namesPage } from './names.js'
import { offerPage, offersPage } from './offers.js'
import { reservedPage } from './reserved.js'

export const createNamesArea = (desk: NameDesk): ConsoleArea => ({
  id: 'names',
  pages: [namesPage, namePage, reservedPage, offersPage, offerPage].map((page) => page(desk)),
  actions: changeActions(desk),
  // Not below `/names`: that is the page of a name. An authority that is out of reach is a state like others.
  streams: [liveStream('/names-live', () => desk.changeMark().catch(() => 'out of reach'))],
})
