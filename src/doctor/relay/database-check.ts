// The database: of this version and of this relay; and the operator's lists beside it.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { localHostPort } from '../../lib/url.js'
import { isRelayServed, openEventReader, openRelayLists } from '../../storage/index.js'
import { ask } from '../ask.js'
import { createDatabaseCheck } from '../database-check.js'
import { type Finding, fail, failed, pass } from '../finding.js'
import type { RelayCheck, RelayDoctorContext } from './context.js'

const OWNER = 'check the owner of the folder and the disk; run the doctor as root, or as the user of the daemon'

export const relayDatabaseCheck: RelayCheck = createDatabaseCheck({
  limitMs: 30_000,
  start: 'systemctl start grinpay-relay',
  room: 'set retention.persist_days, then grinpay relay prune --dry-run; or a larger disk',
  inspect: async (context: RelayDoctorContext) => [...(await fileFinding(context)), ...(await claimFinding(context))],
})

async function fileFinding({ config: { dbPath: path }, clock }: RelayDoctorContext): Promise<readonly Finding[]> {
  try {
    const reader = await openEventReader({ path, clock })
    const { events } = await reader.stats().finally(() => reader.close())
    return [pass(`${events} events, ${path}`)]
  } catch (thrown) {
    return [failed(thrown, OWNER)]
  }
}

/** Who has the database must be who answers, and the other way round. */
async function claimFinding({ config, clock, signal }: RelayDoctorContext): Promise<readonly Finding[]> {
  const { dbPath: path, bind } = config
  const at = `http://${localHostPort(bind.host, bind.port)}`
  try {
    const [isServed, health] = await Promise.all([isRelayServed({ path, clock }), ask({ url: `${at}/health`, signal })])
    const answers = !('why' in health)
    if (isServed === answers) return []
    return isServed
      ? [
          fail(
            `a process has ${path}, and nothing answers at ${at}`,
            'two relays with one database, or other settings than it runs with: systemctl restart grinpay-relay',
          ),
        ]
      : [
          fail(
            `what answers at ${at} does not use ${path}`,
            'database.data_directory, or --db of its unit, is another folder: systemctl cat grinpay-relay',
          ),
        ]
  } catch (thrown) {
    return [failed(thrown, OWNER)]
  }
}

export const listsCheck: RelayCheck = {
  name: 'lists',
  limitMs: 10_000,
  async run({ config: { dbPath } }) {
    const path = join(dirname(dbPath), 'relay-lists.json')
    if (!existsSync(path)) return [pass('no bans: there is no list yet')]
    try {
      const never = () => Promise.reject(new Error('the doctor writes nothing'))
      const { bannedKeys, bannedEvents, blockedAddresses } = (
        await openRelayLists({ path, replace: never, whileLocked: never })
      ).read()
      const count = [bannedKeys, bannedEvents, blockedAddresses].reduce((sum, one) => sum + one.size, 0)
      return [pass(`${count} bans, ${path}`)]
    } catch (thrown) {
      const remedy = `correct ${path} (a relay does not start with it): grinpay relay ban --list says what is wrong`
      return [{ ...failed(thrown, remedy), remedy }]
    }
  },
}
