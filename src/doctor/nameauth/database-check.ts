// The database: of this version, and writable by the user of the doctor.
import { openNameStore, openSharedNames } from '../../storage/index.js'
import { systemRandom } from '../../system/index.js'
import { createDatabaseCheck, MORE_ROOM } from '../database-check.js'
import { type Finding, fail, failed, pass } from '../finding.js'
import type { NameCheck, NameContext } from './context.js'

const OWNER = 'check the owner of the folder and the disk; run the doctor as the user of the daemon'

const CLUSTER = 'grinpay doctor --daemon nameauth --check cluster'

export const nameauthDatabaseCheck: NameCheck = createDatabaseCheck({
  limitMs: 20_000,
  start: 'grinpay serve nameauth',
  room: MORE_ROOM,
  isElsewhere: ({ config }) => config.database !== undefined,
  inspect: async (context: NameContext) => [await finding(context)],
})

async function finding({ config, clock }: NameContext): Promise<Finding> {
  const { database, dbPath } = config
  const remedy = database ? CLUSTER : OWNER
  const opening = database
    ? openSharedNames({ place: database, clock, random: systemRandom, mustExist: true })
    : openNameStore({ path: dbPath, now: clock.now, mustExist: true })
  const opened = await opening.catch((thrown: unknown) => failed(thrown, remedy))
  if ('level' in opened) return opened
  try {
    await opened.check()
    return pass(database ? 'writable, and a standby has it' : `writable, ${dbPath}`)
  } catch (thrown) {
    return fail(failed(thrown, remedy).detail, remedy)
  } finally {
    await opened.close()
  }
}
