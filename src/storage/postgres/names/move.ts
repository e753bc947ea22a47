// The rows of a name authority on their way: `store move names`, both ways, and an import from another authority.
import {
  applyImport,
  createStage,
  type ImportChange,
  type ImportOutcome,
  type ImportRows,
  stageRows,
} from '../../names/import.js'
import { NAME_TABLES } from '../../names/row-kinds.js'
import { NAMES_FILE } from '../../sqlite/kinds.js'
import type { Verb } from '../../verbs.js'
import { requireStep } from '../migrate.js'
import { type MoveBackParts, moveRowsBack, withRowsLocked } from '../move-back.js'
import { type MovedService, type MoveOutcome, type MoveParts, moveRows } from '../move-rows.js'
import { onPrimary } from '../open.js'
import type { DatabasePlace } from '../place.js'
import { runVerb } from '../run-verb.js'
import { NAMES_SERVICE } from '../services.js'

export const MOVED_NAMES: MovedService = { file: NAMES_FILE, service: NAMES_SERVICE, tables: NAME_TABLES }

/** Throws what `moveRows` throws. */
export const moveNames = (parts: MoveParts): Promise<MoveOutcome> => moveRows(MOVED_NAMES, parts)

/** Throws what `moveRowsBack` throws. */
export const moveNamesBack = (parts: MoveBackParts): Promise<MoveOutcome> => moveRowsBack(MOVED_NAMES, parts)

export interface SharedImport {
  readonly place: DatabasePlace
  readonly rows: ImportRows
  readonly change: ImportChange
}

/** As `ImportVerb`; front ends answer meanwhile, and their changes wait or are refused. Throws TEXT_INVALID and what connecting throws. */
export const importSharedNames = ({ place, rows, change }: SharedImport): Promise<ImportOutcome> =>
  onPrimary({ place, service: NAMES_SERVICE }, async (connection) => {
    await requireStep(connection, place.schema, NAMES_SERVICE)
    const { outcome } = await withRowsLocked(connection, NAME_TABLES, async () => {
      const run = <T>(verb: Verb<T>): Promise<T> => runVerb(connection, verb)
      await run(createStage())
      const conflicts = await stageRows(run, rows, change)
      const outcome =
        conflicts.length > 0 ? ({ outcome: 'conflicts', conflicts } as const) : await run(applyImport(change))
      return { keep: outcome.outcome === 'imported' && !change.isDryRun, outcome }
    })
    return outcome
  })
