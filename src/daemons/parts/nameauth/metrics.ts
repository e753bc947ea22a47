// The name authority's figures for Prometheus (NAMEAUTH_METRICS_BIND).
import type { Check, Part } from '../../runtime.js'
import { processFamilies } from '../metrics.js'
import { createFiguresPart, type FiguresListenerParts } from '../metrics-listener.js'
import { operatingFamilies, readDisk } from '../operating-metrics.js'

interface NameFiguresParts extends Omit<FiguresListenerParts, 'collect'> {
  readonly version: string
  readonly dbPath: string
  /** What the parts say of themselves. */
  readonly checks: () => Promise<readonly (Check & { readonly name: string })[]>
}

/** Listening throws ADDRESS_IN_USE. */
export const nameFigures = ({ version, dbPath, checks, ...listener }: NameFiguresParts): Promise<Part> =>
  createFiguresPart({
    ...listener,
    collect: async (process) => [
      ...operatingFamilies({
        daemon: 'nameauth',
        version,
        checks: await checks().catch(() => undefined),
        disk: await readDisk(dbPath),
        now: process.now,
      }),
      ...processFamilies(process),
    ],
  })
