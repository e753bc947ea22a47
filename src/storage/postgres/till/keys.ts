// The wallet's key counter, asked on every new connection.
import { databaseWentBack } from '../../errors.js'
import { integerCell } from '../../sqlite/columns.js'
import { NEXT_KEY } from '../../till/keys.js'
import type { Queries } from '../change.js'
import type { Watermark } from '../watermark.js'

/** Throws DATABASE_WENT_BACK when keys that were handed out would be handed out again. */
export async function requireKeys(
  db: Pick<Queries, 'get'>,
  watermark: Pick<Watermark, 'leastKeyIndex' | 'goneBack'>,
): Promise<void> {
  // Keys that are handed out on other connections while this one is asked do not count.
  const least = watermark.leastKeyIndex
  const missing = least - integerCell.read((await db.get(NEXT_KEY))?.[0] ?? null)
  if (missing <= 0) return
  await watermark.goneBack(missing)
  throw databaseWentBack(missing)
}
