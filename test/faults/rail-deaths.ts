// The moments at which a till is killed, and how each is brought about.
import type { ChildProcess } from 'node:child_process'
import { startTillProcess, type TillProcess } from '../support/till-process.js'
import { isAnswered } from './rail-checker.js'
import { type Course, forgetWatchers, median, noteWaiting, start, type Watch } from './rail-life.js'
import { type RailPayer, takeBack } from './rail-payers.js'
import { pause, type Stage, waitUntil } from './rail-stage.js'

/** Where in its life the till dies. */
export const MOMENTS = [
  'after delivery',
  'before OK',
  'at catch-up',
  'after OK',
  'at a repeated S1',
  'before OK, unstored',
  'while creating',
  'at a void',
] as const
export type Moment = (typeof MOMENTS)[number]

/** How long a moment may take to come. */
const TRIGGER_MS = 8000

const random = (ms: number): number => Math.random() * ms

/** S1 that came while the till was down, one of them taken back already; it dies while it reads them. */
export async function startAndKill(course: Course): Promise<undefined> {
  const { stage } = course
  const till = await start(course, -1)
  const invoices = await Promise.all([stage.invoice(), stage.invoice(), stage.invoice()])
  await till.stop()
  const payers = invoices.map((invoice) => stage.payer(invoice))
  sendAll(stage, payers)
  takeBackUnread(stage, payers.at(-1))
  let child: ChildProcess | undefined
  const [relay] = stage.relays
  let armed = false
  relay.watcher = {
    asked() {
      if (!armed) void pause(random(400)).then(() => child?.kill('SIGKILL'))
      armed = true
    },
  }
  const alive = await startTillProcess(stage.settings, [], (spawned) => {
    child = spawned
  }).catch(() => undefined)
  if (alive) await waitUntil(() => alive.child.signalCode !== null, TRIGGER_MS)
  await alive?.kill()
  forgetWatchers(course)
  noteWaiting(course)
  return undefined
}

function someRelays({ relays }: Stage, at: number) {
  const [a, b] = relays
  return at % 3 === 0 ? [a] : at % 3 === 1 ? [b] : [a, b]
}

/** By one relay, by the other, by both, and by both in two wraps. */
function sendAll(stage: Stage, payers: readonly RailPayer[]): void {
  for (const [at, payer] of payers.entries()) stage.send(payer, someRelays(stage, at), Date.now(), Math.random() < 0.5)
}

interface Act {
  readonly till: TillProcess
  readonly round: number
  readonly watch: Watch
}

/** Lets payers pay and returns when the till is to die. */
export async function act(course: Course, moment: Moment, now: Act): Promise<void> {
  const { stage } = course
  if (moment === 'while creating') return dieCreating(course, now)
  const payers = await givenPayers(course, now.round)
  if (moment === 'before OK' || moment === 'before OK, unstored' || moment === 'after OK')
    return dieAtReply(course, moment, payers)
  sendAll(stage, payers)
  if (moment === 'after delivery') {
    await waitUntil(() => payers.some((payer) => now.watch.delivered(payer)), TRIGGER_MS)
    return pause(random(Math.max(150, 1.4 * median(course.times))))
  }
  // What comes a second time finds the first dealt with.
  await waitUntil(() => payers.every((one) => one.isRival || isAnswered(one, stage.relays)), TRIGGER_MS)
  const honest = payers.filter(({ isRival }) => !isRival)
  if (moment === 'at a repeated S1') for (const payer of honest) stage.send(payer, stage.relays, Date.now(), true)
  if (moment === 'at a void') takeOneBack(stage, honest)
  await pause(random(150))
}

/** Two or three invoices; every fifth round two people pay the same one. One payer of every third round has real coins. */
async function givenPayers({ stage, isLong }: Course, round: number): Promise<readonly RailPayer[]> {
  const invoices = await Promise.all([stage.invoice(), stage.invoice(), ...(round % 2 === 0 ? [stage.invoice()] : [])])
  const [first] = invoices
  const payers = invoices.map((invoice, at) => {
    if (at === 0 && round % 5 === 3) return stage.payer(invoice, { isRival: true })
    return stage.payer(invoice, { isReal: isLong && at === 1 && round % 3 === 0 })
  })
  return first && round % 5 === 3 ? [...payers, stage.payer(first, { isRival: true })] : payers
}

function takeOneBack(stage: Stage, payers: readonly RailPayer[]): void {
  const payer = payers.find((one) => isAnswered(one, stage.relays) && !stage.holds(one))
  if (!payer) return
  payer.voided = 'answered'
  for (const relay of stage.relays) relay.publish(takeBack(payer, Date.now()))
}

/** S1 and void message lie with the relays together; they are read in any order. */
function takeBackUnread({ relays }: Stage, payer: RailPayer | undefined): void {
  if (!payer) return
  payer.voided = 'unanswered'
  for (const relay of relays) relay.publish(takeBack(payer, Date.now()))
}

async function dieCreating({ stage }: Course, { till }: Act): Promise<void> {
  const creating = Array.from({ length: 4 }, async (_, at) => {
    const invoice = await stage.invoice()
    stage.send(stage.payer(invoice), someRelays(stage, at), Date.now())
  })
  const ended = Promise.allSettled(creating)
  await pause(random(250))
  await till.kill()
  await ended
}

/** The S2 arrives: the till dies before it can learn what the relay thinks of it, or right after. */
async function dieAtReply(
  { stage }: Course,
  moment: 'before OK' | 'before OK, unstored' | 'after OK',
  payers: readonly RailPayer[],
): Promise<void> {
  const replies = new Set<string>()
  const keys = new Set(payers.map(({ pubkey }) => pubkey))
  let trigger = () => {}
  const reached = new Promise<void>((resolve) => {
    trigger = resolve
  })
  for (const relay of stage.relays) {
    const { watcher } = relay
    relay.watcher = {
      ...watcher,
      posted(event) {
        const fate = watcher.posted?.(event) ?? 'serve'
        if (!keys.has(event.tags[0]?.[1] ?? '')) return fate
        replies.add(event.id)
        if (moment !== 'after OK') trigger()
        return moment === 'before OK' ? 'hold-ok' : moment === 'after OK' ? fate : 'drop'
      },
      confirmed: (id) => {
        if (moment === 'after OK' && replies.has(id)) trigger()
      },
    }
  }
  sendAll(stage, payers)
  await Promise.race([reached, pause(TRIGGER_MS)])
  await pause(Math.random() < 0.5 ? 0 : random(30))
}
