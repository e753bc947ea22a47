// Why hosts of an address are not used. One that refuses is passed over like one that is away: another one may be the primary.
import type { DaemonName } from '../../lib/daemon-names.js'
import { type DatabaseHost, formatDatabaseHost } from '../../lib/database-address.js'
import { GrinpayError } from '../../lib/errors.js'
import { databaseRefused, databaseUnreachable, databaseWentBack } from '../errors.js'
import { isRefusal, reasonOf } from './sql-errors.js'

export interface UnusedHost {
  readonly host: string
  readonly reason: string
  /** What waiting does not mend. */
  readonly failure?: GrinpayError | undefined
}

/** Throws DATABASE_WENT_BACK, which no other host mends. */
export function unusedBecause(error: unknown, host: DatabaseHost): UnusedHost {
  if (databaseWentBack.is(error)) throw error
  const name = formatDatabaseHost(host)
  if (isRefusal(error))
    return {
      host: name,
      reason: `refuses the login: ${reasonOf(error)}`,
      failure: databaseRefused(name, reasonOf(error)),
    }
  return { host: name, reason: reasonOf(error), failure: error instanceof GrinpayError ? error : undefined }
}

/** When none of them can be used. What has to be changed comes first; a login counts as refused when every host refuses it. */
export function noneUsable(hosts: readonly UnusedHost[], daemon: DaemonName): GrinpayError {
  const failures = hosts.flatMap(({ failure }) => failure ?? [])
  const [refusal] = failures
  const other = failures.find((failure) => !databaseRefused.is(failure))
  if (other) return other
  if (refusal && failures.length === hosts.length) return refusal
  return databaseUnreachable(hosts.map(({ host, reason }) => `${host}: ${reason}`).join('; '), daemon)
}
