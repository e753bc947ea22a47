// The database: of this version, and writable by the user of the doctor.
import { openNameStore } from '../../storage/index.js'
import { createDatabaseCheck, MORE_ROOM } from '../database-check.js'
import { type Finding, fail, failed, pass } from '../finding.js'
import type { NameCheck, NameContext } from './context.js'

const OWNER = 'check the owner of the folder and the disk; run the doctor as the user of the daemon'

export const nameauthDatabaseCheck: NameCheck = createDatabaseCheck({
  limitMs: 20_000,
  start: 'grinpay serve nameauth',
  room: MORE_ROOM,
  inspect: async (context: NameContext) => [await fileFinding(context)],
})

async function fileFinding({ config: { dbPath }, clock }: NameContext): Promise<Finding> {
  const opened = await openNameStore({ path: dbPath, now: clock.now, mustExist: true }).catch((thrown: unknown) =>
    failed(thrown, OWNER),
  )
  if ('level' in opened) return opened
  try {
    await opened.check()
    return pass(`writable, ${dbPath}`)
  } catch (thrown) {
    return fail(failed(thrown, OWNER).detail, OWNER)
  } finally {
    await opened.close()
  }
}
