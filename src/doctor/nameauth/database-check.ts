// The database: there, of this version, and writable by the user of the doctor.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { diskFindings } from '../disk.js'
import { type Finding, fail, failed, pass, warn } from '../finding.js'
import type { NameCheck, NameContext } from './context.js'

const SMALLER = 'make room: du -xh / | sort -h | tail shows what takes it; or a larger disk'
const OWNER = 'check the owner of the folder and the disk; run the doctor as the user of the daemon'

export const databaseCheck: NameCheck = {
  name: 'database',
  limitMs: 20_000,
  applies: () => true,
  async run(context) {
    const { config, roomOf } = context
    const disk = await diskFindings({ folder: dirname(config.dbPath), roomOf, remedy: SMALLER })
    return [await fileFinding(context), ...disk]
  },
}

async function fileFinding({ config: { dbPath }, clock }: NameContext): Promise<Finding> {
  if (!existsSync(dbPath))
    return warn(`there is none at ${dbPath} yet`, 'the first start makes it: grinpay serve nameauth')
  const { openNameStore } = await import('../../storage/index.js')
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
