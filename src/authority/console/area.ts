// The name authority's part of the console.
import { type ConsoleArea, liveStream } from '../../console/index.js'
import type { NameAdmin } from '../admin/index.js'
import type { NameAccess } from './access.js'
import { changeActions } from './change-actions.js'
import { namePage } from './name.js'
import { namesPage } from './names.js'
import { offerPage, offersPage } from './offers.js'
import { reservedPage } from './reserved.js'

export const createNamesArea = (names: NameAccess): ConsoleArea => ({
  id: 'names',
  pages: [namesPage, namePage, reservedPage, offersPage, offerPage].map((page) => page(names)),
  actions: changeActions(names),
  // Not below `/names`: that is the page of a name. An authority that is out of reach is a state like others.
  streams: [liveStream('/names-live', () => names.read(({ rows }) => changeMark(rows)).catch(() => 'out of reach'))],
})

/** Newest offers whose states are watched for open pages. */
const WATCHED = 50

/** Every change of a name has an entry in the history; offers are seen by their states, as far as the first pages show them. */
async function changeMark(rows: NameAdmin['rows']): Promise<string> {
  const { items: changes } = await rows.history({}, { limit: 1 })
  const { items: offers } = await rows.offers({}, { limit: WATCHED })
  return [changes[0]?.id ?? 0, ...offers.map(({ id, status }) => `${id.slice(0, 8)} ${status}`)].join()
}
