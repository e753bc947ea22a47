// A name authority and everyone around it for some days: holders, an operator, the till that is paid, the nodes that see sales, and what goes wrong.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openNameReader, openNameSource, openNameStore } from '../../../src/storage/index.js'
import { createChance } from '../ground/chance.js'
import { startTime } from '../ground/time.js'
import { createTrace } from '../ground/trace.js'
import type { WorldOptions, WorldResult } from '../world.js'
import { createAuthorityProcess } from './authority.js'
import { createSaleChain } from './chain.js'
import { checkAtRest } from './checks.js'
import { createLedger } from './ledger.js'
import { createNamesModel } from './model.js'
import { createOperator } from './operators.js'
import { createPeople, DOMAIN } from './people.js'
import { createSales, MIN_CONFIRMATIONS } from './sales.js'
import { createDisk } from './surroundings.js'
import { API_TOKEN, createWorldTill, HOOK_SECRET } from './till.js'

/** What can be left out, to see what a failure needs. */
export const NAME_FAULTS = ['drops', 'stops', 'till', 'nodes', 'reorganisations', 'clock', 'disk'] as const
type NameFault = (typeof NAME_FAULTS)[number]
/** Who can be left out. */
export const NAME_ACTORS = ['visits', 'sales', 'operator'] as const

/** A memory file system, where there is one. */
const MEMORY = '/dev/shm'
const START = Date.UTC(2026, 0, 5, 6)
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const COOLDOWN_SECONDS = 600
const RESERVED = ['blocked']

/** Lives a world to its end and answers what does not hold. */
export async function liveNamesWorld(options: WorldOptions & { readonly seed: number }): Promise<WorldResult> {
  const { seed, without = [], hours, untilMs, print } = options
  const chance = createChance(`names ${seed}`)
  const plan = chance.stream('plan')
  const days = Number(plan.weighted({ 3: 4, 10: 4, 30: 2 }))
  const spanMs = hours === undefined ? days * DAY_MS : hours * HOUR_MS
  const visitsADay = plan.pick([0.5, 1, 1, 3])
  const isPaid = plan.is(0.4)
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'grinpay-world-'))
  mkdirSync(join(folder, 'life-0'), { mode: 0o700 })
  const reservedFile = join(folder, 'reserved.txt')
  writeFileSync(reservedFile, RESERVED.join('\n'))
  await loadEverything()
  const time = startTime(START)
  let stir = (): void => undefined
  const trace = createTrace(time.now, () => stir(), print)
  const happens = (what: string): boolean => !without.includes(what)
  try {
    const chain = createSaleChain({ time, chance: chance.stream('chain'), trace, nodes: plan.whole(1, 2) })
    const disk = createDisk()
    const till = createWorldTill({ time, chance: chance.stream('till'), trace, authority: () => authority })
    const authority = createAuthorityProcess({
      ...{ time, chance: chance.stream('authority'), trace, folder, disk },
      ...{ fetch: chain.fetch, transport: till.transport },
      variables: {
        NAMEAUTH_DOMAIN: DOMAIN,
        NAMEAUTH_RESERVED_FILE: reservedFile,
        NAMEAUTH_NAME_CHANGE_COOLDOWN_SECS: String(COOLDOWN_SECONDS),
        NAMEAUTH_TRANSFERS: 'on',
        NAMEAUTH_TRANSFER_MIN_CONF: String(MIN_CONFIRMATIONS),
        NAMEAUTH_GRIN_NODE_URL: chain.nodes.map(({ url }) => url).join(','),
        ...(isPaid && {
          NAMEAUTH_PAY_MODE: 'name',
          NAMEAUTH_NAME_PRICE_GRIN: '1.5',
          NAMEAUTH_PAY_URL: 'https://till.example',
          NAMEAUTH_PAY_TOKEN: API_TOKEN,
          NAMEAUTH_PAY_WEBHOOK_SECRET: HOOK_SECRET,
        }),
      },
    })
    stir = authority.stir
    const model = createNamesModel({ domain: DOMAIN, cooldownMs: COOLDOWN_SECONDS * 1000, isPaid, reserved: RESERVED })
    const ledger = createLedger({ authority, till, trace, model, isPaid })
    const people = createPeople({
      ...{ time, chance: chance.stream('people'), trace, authority, till, ledger, isPaid, count: plan.whole(5, 12) },
      isDiskFull: () => disk.isFull,
    })
    const sales = createSales({ time, chance: chance.stream('sales'), trace, chain, ledger, people })
    const operator = createOperator({
      ...{ time, chance: chance.stream('operator'), trace, folder, authority, ledger, people, reserved: RESERVED },
    })
    const end = time.now() + spanMs
    const broken: unknown[] = []
    const alone = (work: Promise<void>) => void work.catch((thrown: unknown) => broken.push(thrown))

    async function repeat(actor: (typeof NAME_ACTORS)[number], everyMs: number, work: () => Promise<void>) {
      if (!happens(actor)) return
      const own = chance.stream(`when ${actor}`)
      for (;;) {
        await time.sleep(own.around(everyMs))
        if (time.now() >= end) return
        alone(work())
      }
    }

    async function downFor(ms: number, end: () => void | Promise<void>): Promise<void> {
      await end()
      await time.sleep(ms)
      await authority.start()
    }

    async function trouble(fault: NameFault, own: ReturnType<typeof chance.stream>): Promise<void> {
      const lasts = own.around(20 * 60_000)
      if (fault === 'drops' && own.is(0.6)) authority.dropWithin(own.whole(1, 8))
      else if (fault === 'drops') await downFor(own.around(20_000), authority.drop)
      else if (fault === 'stops') await downFor(own.around(60_000), authority.stop)
      else if (fault === 'reorganisations') chain.reorganise(own.whole(1, 12), own.is(0.3))
      else if (fault === 'till') {
        till.mood = own.pick(['away', 'slow', 'failing'] as const)
        trace.fault(`till × ${till.mood}`)
        await time.sleep(lasts)
        till.mood = 'well'
      } else if (fault === 'nodes') {
        const node = own.pick(chain.nodes)
        node.mood = own.pick(['away', 'slow', 'denying', 'behind'] as const)
        trace.fault(`nodes × ${node.mood}`)
        await time.sleep(lasts)
        node.mood = 'well'
      } else if (fault === 'clock') {
        trace.fault('clock')
        authority.skewBy(own.pick([-HOUR_MS, -30_000, 90_000, 6 * HOUR_MS, 3650 * DAY_MS]))
        // A machine whose clock is wrong since its start is put right soon.
        if (own.is(0.4)) await downFor(own.around(5000), authority.drop)
        await time.sleep(own.is(0.6) ? own.around(60_000) : lasts)
        authority.skewBy(0)
        people.disturb()
        await people.tryLuck()
      } else {
        trace.fault('disk')
        disk.isFull = true
        await time.sleep(lasts)
        disk.isFull = false
      }
    }

    async function troubles(own: ReturnType<typeof chance.stream>): Promise<void> {
      while (time.now() < end) {
        await time.sleep(own.around((2 * DAY_MS) / visitsADay))
        const fault = own.weighted(WEIGHTS)
        if (!happens(fault)) continue
        people.disturb()
        trace.note('trouble', fault)
        // Most faults matter while something is under way.
        if (own.is(0.6)) alone(people.visit())
        await time.sleep(own.whole(0, 8000))
        await trouble(fault, own)
        people.disturb()
      }
    }

    async function live(): Promise<void> {
      await authority.start()
      await Promise.all([
        repeat('visits', DAY_MS / visitsADay, people.visit),
        repeat('sales', (3 * DAY_MS) / visitsADay, sales.sell),
        repeat('operator', (2 * DAY_MS) / visitsADay, operator.order),
        troubles(chance.stream('troubles')),
      ])
      // Rest: everything works, until every visit and every sale has ended.
      await time.sleep(12 * HOUR_MS)
      if (broken.length > 0) throw broken[0]
      await checkAtRest({ time, authority, chain, till, ledger, people, sales, operator, isPaid })
      await authority.stop()
      await ledger.close()
    }

    await time.run(untilMs === undefined ? live() : Promise.race([live(), time.sleep(untilMs)]))
    return {
      ...{ hash: trace.hash(), days: (time.now() - START) / DAY_MS, failures: ledger.findings },
      ...trace.counts(),
    }
  } finally {
    time.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the product loads when it needs it: while time is real, so that the first world of a process is like any other. */
async function loadEverything(): Promise<void> {
  await Promise.all([
    import('../../../src/authority/transfers/claim.js'),
    import('../../../src/authority/transfers/offer.js'),
    import('../../../src/chain/index.js'),
    import('../../../src/client/index.js'),
  ])
  const path = '/nowhere/names.db'
  const opened = [
    openNameReader({ path }),
    openNameStore({ path, now: () => 0, mustExist: true }),
    openNameSource(path),
  ]
  await Promise.allSettled(opened)
}

const WEIGHTS: Readonly<Record<NameFault, number>> = {
  drops: 5,
  stops: 1,
  till: 2,
  nodes: 2,
  reorganisations: 1,
  clock: 3,
  disk: 1,
}
