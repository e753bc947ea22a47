// The operator, who works on the database while the authority runs, dies and starts: through the admin of the commands, and through
// commands that are killed as well.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { editNames } from '../../src/daemons/name-admin.js'
import { GrinpayError } from '../../src/lib/errors.js'
import { cleanEnvironment, ROOT } from '../support/till-process.js'
import { pause, type World } from './name-load.js'
import type { Order, OrderVerb } from './name-log.js'
import { aName, aRareName, chance, DOMAIN, newPerson, oneOf } from './name-people.js'

type NameAdmin = Parameters<Parameters<typeof editNames>[1]>[0]
type Work = (admin: NameAdmin) => Promise<{ readonly changed: boolean }>

export interface Operator {
  /** Runs until the world stops. */
  keepOrdering(): Promise<void>
  /** A command in a process of its own, killed in the middle more often than not. */
  runCommand(): Promise<void>
}

export function createOperator(world: World, path: string): Operator {
  const { log, people } = world
  const settings = { path, domain: DOMAIN, nameMin: 3, nameMax: 20, reserved: [] }
  const suspended: string[] = []
  const reserved: string[] = []

  function begin(verb: OrderVerb, name: string | null): Order {
    const order: Order = { verb, name, sentAt: Date.now(), endedAt: Number.POSITIVE_INFINITY, outcome: undefined }
    log.orders.push(order)
    return order
  }

  async function give(verb: OrderVerb, name: string | null, work: Work): Promise<boolean> {
    const order = begin(verb, name)
    const done = await editNames(settings, work).catch((thrown: unknown) => {
      if (!(thrown instanceof GrinpayError)) throw thrown
      return thrown.code.startsWith('DATABASE_') ? undefined : { changed: false }
    })
    order.endedAt = Date.now()
    if (done) order.outcome = done.changed ? 'done' : 'refused'
    return done?.changed === true
  }

  const reason = 'fault round'
  const orders: readonly (() => Promise<unknown>)[] = [
    async () => {
      const person = oneOf(people) ?? newPerson()
      const name = aName()
      const replace = chance(0.7)
      const isDone = await give('assign', name, (admin) => admin.assign(name, person.pubkey, { reason, replace }))
      if (isDone) person.name = name
    },
    async () => {
      const person = oneOf(people)
      if (person?.name === undefined) return
      const { name, pubkey } = person
      const reserve = chance(0.2)
      const isDone = await give('evict', name, (admin) => admin.evict(name, { reason, holder: pubkey, reserve }))
      if (isDone && reserve) reserved.push(name)
    },
    async () => {
      const name = oneOf(people)?.name
      if (name === undefined) return
      if (await give('suspend', name, (admin) => admin.suspend(name, { reason, suspended: true }))) suspended.push(name)
    },
    async () => {
      const name = suspended.shift()
      if (name !== undefined) await give('resume', name, (admin) => admin.suspend(name, { reason, suspended: false }))
    },
    async () => {
      const name = aName()
      if (await give('reserve', name, (admin) => admin.reserve(name, reason))) reserved.push(name)
    },
    async () => {
      const name = reserved.length > 3 ? reserved.shift() : undefined
      if (name !== undefined) await give('unreserve', name, (admin) => admin.unreserve(name, reason))
    },
    async () => {
      const bill = chance(0.2) ? oneOf([...log.bills.values()].slice(-10)) : undefined
      if (bill) await give('void-grant', null, (admin) => admin.voidGrant(bill.id, reason))
    },
  ]

  return {
    async keepOrdering() {
      while (!world.stop.aborted) {
        await oneOf(orders)?.()
        await pause(world.pace * Math.random())
      }
    },
    async runCommand() {
      const [name, { pubkey }] = [aRareName(), newPerson()]
      const order = begin('assign', name)
      const args = ['name', 'assign', name, pubkey, '--reason', reason, '--db', path]
      const child = spawn(process.execPath, [join(ROOT, 'bin/run.js'), ...args], {
        env: cleanEnvironment({ NAMEAUTH_DOMAIN: DOMAIN }),
        stdio: 'ignore',
      })
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      if (chance(0.6)) void pause(400 + Math.random() * 800).then(() => child.kill('SIGKILL'))
      const code = await ended
      order.endedAt = Date.now()
      if (code === 0) order.outcome = 'done'
      else if (code !== null) order.outcome = 'refused'
    },
  }
}
