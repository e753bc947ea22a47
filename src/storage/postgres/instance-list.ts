// Which processes use a schema, for commands.
import { z } from 'zod'
import { schemaMissing } from '../errors.js'
import type { Queries } from './change.js'
import type { SeenInstance } from './instances.js'
import { onPrimary } from './open.js'
import type { PostgresParts } from './place.js'
import { isAbsence } from './sql-errors.js'

const LIST = `SELECT id::text, daemon, version, host, started, fingerprints, (extract(epoch FROM seen) * 1000)::bigint,
  (extract(epoch FROM clock_timestamp() - seen) * 1000)::bigint, clock - (extract(epoch FROM seen) * 1000)::bigint,
  (SELECT string_agg(name, ' ' ORDER BY name) FROM lease WHERE holder = instance.id AND until > now())
  FROM instance ORDER BY daemon, host, started, id`

/** It says something every ten seconds. */
const SILENT_MS = 30_000
const FINGERPRINTS = z.record(z.string(), z.string())

/** Those that run and those that ended without a word within a day, as the primary shows them. Throws SCHEMA_MISSING, DATABASE_UNREACHABLE and the like. */
export const listInstances = (parts: Pick<PostgresParts, 'place' | 'service'>): Promise<readonly SeenInstance[]> =>
  onPrimary(parts, async (connection) => {
    try {
      return await readAll(connection)
    } catch (error) {
      throw isAbsence(error) ? schemaMissing(parts.place.schema, connection.host) : error
    }
  })

const readAll = async (db: Queries): Promise<readonly SeenInstance[]> =>
  (await db.all(LIST)).map(
    ([id, daemon, version, host, started, fingerprints, seen, silent, ahead, leases = null]) => ({
      id: String(id),
      daemon: String(daemon),
      version: String(version),
      host: String(host),
      startedAt: Number(started),
      fingerprints: FINGERPRINTS.parse(JSON.parse(String(fingerprints))),
      seenAt: Number(seen),
      silentMs: Number(silent),
      isSilent: Number(silent) > SILENT_MS,
      clockAheadMs: Number(ahead),
      leases: leases === null ? [] : String(leases).split(' '),
    }),
  )
