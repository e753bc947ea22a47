// Rows in PostgreSQL, as pg_dump writes them: a file of the archive that pg_restore reads.
import { basename, join } from 'node:path'
import type { ArchiveSource } from '../../../backup/index.js'
import type { DatabasePlace } from '../../../storage/index.js'
import { programEnvironment, startShellProgram } from '../../../system/index.js'
import { pgDumpFailed, pgDumpMissing } from '../../errors.js'

export interface KeptSchema {
  readonly place: DatabasePlace
  readonly member: string
}

/** Neither the password nor the address stands in the command line, which every user of the machine may read. */
const COMMAND = 'exec pg_dump -Fc --no-password --schema="$DUMPED_SCHEMA" --file="$DUMP_FILE"'
/** Of a shell that does not find the program. */
const NOT_FOUND = 'exit code 127'
const MOST_MESSAGE = 2000

/** One moment of the schema, from the primary, in `folder`. Throws PG_DUMP_MISSING, PG_DUMP_FAILED. */
export async function dumpSchema({ place, member }: KeptSchema, folder: string): Promise<ArchiveSource> {
  const file = join(folder, basename(member))
  const { how, errors } = await runToEnd(COMMAND, {
    ...programEnvironment(),
    ...connectionOf(place),
    DUMPED_SCHEMA: place.schema,
    DUMP_FILE: file,
  })
  if (how === NOT_FOUND) throw pgDumpMissing()
  if (how !== 'exit code 0') throw pgDumpFailed(errors.trim().replaceAll('\n', '; ') || how)
  return { path: member, role: 'document', content: { file } }
}

/** For libpq, which tries the hosts in their order. */
function connectionOf({ address }: DatabasePlace): Readonly<Record<string, string>> {
  const { hosts, user, password, database, tls } = address
  return {
    PGHOST: hosts.map(({ host }) => host).join(','),
    PGPORT: hosts.map(({ port }) => port).join(','),
    PGUSER: user,
    PGDATABASE: database,
    PGTARGETSESSIONATTRS: 'primary',
    PGCONNECT_TIMEOUT: '5',
    PGSSLMODE: tls ? 'verify-full' : 'disable',
    ...(tls && { PGSSLROOTCERT: tls.caFile ?? 'system' }),
    ...(password && { PGPASSWORD: password.reveal() }),
  }
}

function runToEnd(
  command: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly how: string; readonly errors: string }> {
  let errors = ''
  return new Promise((resolve) => {
    const program = startShellProgram(
      command,
      {
        output: () => undefined,
        errors(chunk) {
          errors = (errors + chunk.toString('utf8')).slice(-MOST_MESSAGE)
        },
        exit: (how) => resolve({ how, errors }),
      },
      env,
    )
    program.end()
  })
}
