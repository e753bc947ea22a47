// The operator of a world of names: uses the commands on the database that the authority has open, or had.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { editNames } from '../../../src/daemons/name-admin.js'
import { importNames } from '../../../src/daemons/name-transfer.js'
import { GrinpayError } from '../../../src/lib/errors.js'
import type { Chance } from '../ground/chance.js'
import type { VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'
import type { AuthorityProcess } from './authority.js'
import type { Ledger } from './ledger.js'
import { DOMAIN, type People } from './people.js'

const ORDERS = [
  'evict',
  'reserve',
  'unreserve',
  'assign',
  'suspend',
  'resume',
  'release',
  'import',
  'void grant',
] as const

interface OperatorParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  readonly folder: string
  readonly authority: AuthorityProcess
  readonly ledger: Ledger
  readonly people: People
  readonly reserved: readonly string[]
}

export function createOperator(parts: OperatorParts) {
  const { time, chance, trace, folder, authority, ledger, people, reserved } = parts
  /** Paid grants that the operator voided, by key. */
  const voided = new Map<string, number>()
  let imports = 0
  const settings = () => ({
    ...{ path: authority.database, domain: DOMAIN, nameMin: 3, nameMax: 20, reserved },
  })
  const aKey = () => chance.pick(people.people).signer.pubkey
  const aName = () =>
    chance.is(0.5) ? chance.pick([...ledger.model.holders.keys(), 'tide']) : chance.pick(people.wanted)

  async function bring(): Promise<string> {
    const names = Object.fromEntries(
      Array.from({ length: chance.whole(1, 3) }, () => [
        chance.pick(people.wanted),
        chance.is(0.6) ? Buffer.from(chance.bytes(32)).toString('hex') : aKey(),
      ]),
    )
    const file = join(folder, `import-${imports++}.json`)
    writeFileSync(file, JSON.stringify({ names }))
    const request = { file, reason: 'moving', isDryRun: chance.is(0.2), agree: async () => undefined }
    const { imported, conflicts } = await time.hold(importNames(settings(), request))
    return imported ? 'imported' : `${conflicts.length} conflicts`
  }

  async function carryOut(order: (typeof ORDERS)[number]): Promise<string> {
    if (order === 'import') return bring()
    const [name, key, reason] = [aName(), aKey(), 'as the operator wants it']
    return editNames(settings(), async (admin) => {
      if (order === 'reserve') return String((await admin.reserve(name, reason)).changed)
      if (order === 'unreserve') return String((await admin.unreserve(name, reason)).changed)
      if (order === 'assign')
        return String((await admin.assign(name, key, { reason, replace: chance.is(0.6) })).changed)
      if (order === 'suspend' || order === 'resume')
        return String((await admin.suspend(name, { reason, suspended: order === 'suspend' })).changed)
      if (order === 'void grant') {
        const { items } = await admin.grants({}, { limit: 5 })
        const [grant] = items
        if (!grant) return 'no grant'
        await admin.voidGrant(grant.invoice_id, reason)
        voided.set(grant.pubkey, (voided.get(grant.pubkey) ?? 0) + 1)
        return 'voided'
      }
      const holder = chance.is(0.9) ? (ledger.model.holders.get(name.toLowerCase()) ?? key) : key
      if (order === 'release') return (await admin.release(name, { reason, holder })).action
      return (await admin.evict(name, { reason, holder, reserve: chance.is(0.3) })).action
    })
  }

  return {
    voidedOf: (pubkey: string) => voided.get(pubkey) ?? 0,
    async order(): Promise<void> {
      const order = chance.pick(ORDERS)
      people.disturb()
      await ledger.catchUp()
      const said = await carryOut(order).catch((thrown: unknown) => {
        if (!(thrown instanceof GrinpayError)) throw thrown
        if (/^(?:DATABASE|SCHEMA)_/.test(thrown.code)) ledger.wrong(10, `${order}: ${thrown.message}`)
        return thrown.code
      })
      people.disturb()
      trace.note('operator', order, said)
      trace.happening(`operator: ${order} ${said}`)
      await ledger.catchUp()
    },
  }
}

export type Operator = ReturnType<typeof createOperator>
