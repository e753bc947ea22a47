// kill -9 of a whole till between any two steps of the Nostr pipeline. The harness is the relays, so it knows when an S1 is with the
// till and when the S2 arrives, and kills in between. Each restart has to answer what the last life left undone.
import type { ChildProcess } from 'node:child_process'
import { messageOf } from '../../src/lib/errors.js'
import { startTillProcess, type TillProcess } from '../support/till-process.js'
import { findRailFaults, findUnfinished, isAnswered, isOwed, purseOf } from './rail-checker.js'
import { type RailPayer, takeBack } from './rail-payers.js'
import { openStage, pause, type Stage, waitUntil } from './rail-stage.js'
import { findLosses } from './till-checker.js'
import { emptyLedger } from './till-load.js'

/** Where in its life the till dies. */
const MOMENTS = [
  'after delivery',
  'before OK',
  'at catch-up',
  'after OK',
  'at a repeated S1',
  'before OK, unstored',
  'while creating',
  'at a void',
] as const
type Moment = (typeof MOMENTS)[number]

const COINS = 6
/** How long the last life's payers may take after a restart, and a moment may take to come. */
const PATIENCE_MS = 40_000
const TRIGGER_MS = 8000
/** A letter that one relay has is off the list for a minute. */
const LETTERS_MS = 150_000

export interface KillReport {
  readonly rounds: number
  readonly payers: number
  readonly answered: number
  /** S2 that were sent in more than one wrap. */
  readonly repeated: number
  readonly pushed: number
  readonly killsBeforeReply: number
  /** Milliseconds from the delivery of an S1 to its S2 at a relay, of those that no kill came between. */
  readonly medianMs: number
  /** Of the starts, until the till answers `/health`. */
  readonly startMs: number
  readonly moments: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

const random = (ms: number): number => Math.random() * ms

/** What the rounds remember of each other. */
interface Course {
  readonly stage: Stage
  readonly faults: string[]
  readonly times: number[]
  readonly starts: number[]
  /** Waits for what takes minutes by design: the second relay of a letter, confirmations. */
  readonly isLong: boolean
  /** Payers of rounds before whose answer is still out. */
  waiting: RailPayer[]
  early: number
}

export async function runKillRounds(rounds: number, isLong = true): Promise<KillReport> {
  const stage = await openStage({ coins: isLong ? COINS : 0 })
  const course: Course = { stage, faults: [], times: [], starts: [], isLong, waiting: [], early: 0 }
  const moments: Record<string, number> = {}
  try {
    for (let round = 0; round < rounds; round += 1) {
      const moment = MOMENTS[round % MOMENTS.length] ?? 'after delivery'
      moments[moment] = (moments[moment] ?? 0) + 1
      await playRound(course, moment, round)
      const found = findRailFaults(stage.world).map((fault) => `round ${round} (${moment}): ${fault}`)
      course.faults.push(...found)
    }
    await recover(course)
    const { payers } = stage.world
    const purses = payers.map((payer) => purseOf(payer, stage.relays))
    return {
      rounds,
      payers: payers.length,
      answered: purses.filter(({ replies }) => replies.size > 0).length,
      repeated: purses.filter(({ wraps }) => wraps.size > 1).length,
      pushed: stage.pushed.size,
      killsBeforeReply: course.early,
      medianMs: Math.round(median(course.times)),
      startMs: Math.round(median(course.starts)),
      moments,
      faults: [...new Set([...course.faults, ...stage.hooks.faults])],
    }
  } finally {
    await stage.close()
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function playRound(course: Course, moment: Moment, round: number): Promise<void> {
  const till = moment === 'at catch-up' ? await startAndKill(course) : await start(course, round)
  if (!till) return
  const watch = timesOf(course)
  try {
    await act(course, moment, { till, round, watch })
  } catch (thrown) {
    course.faults.push(`round ${round} (${moment}): ${messageOf(thrown)}`)
  } finally {
    await till.kill()
    forgetWatchers(course)
    course.waiting = course.stage.world.payers.filter((one) => isOwed(one) && !isAnswered(one, course.stage.relays))
    course.early += course.waiting.length
  }
}

function forgetWatchers({ stage }: Course): void {
  for (const relay of stage.relays) relay.watcher = {}
}

/** A fresh life; first of all it owes what the one before left undone. */
async function start(course: Course, round: number): Promise<TillProcess> {
  const { stage, faults } = course
  for (const relay of stage.relays) await relay.comeBack()
  const begun = Date.now()
  const till = await startTillProcess(stage.settings)
  course.starts.push(Date.now() - begun)
  const isDone = () => course.waiting.every((payer) => isAnswered(payer, stage.relays))
  if (!(await waitUntil(isDone, PATIENCE_MS)))
    faults.push(
      ...course.waiting
        .filter((payer) => !isAnswered(payer, stage.relays))
        .map(({ slateId }) => `round ${round}: ${slateId} not answered after a restart\n${till.output().slice(-2000)}`),
    )
  for (const payer of stage.world.payers) await stage.finish(payer)
  return till
}

/** S1 that came while the till was down, one of them taken back already; it dies while it reads them. */
async function startAndKill(course: Course): Promise<undefined> {
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
  course.waiting = stage.world.payers.filter((one) => isOwed(one) && !isAnswered(one, stage.relays))
  course.early += course.waiting.length
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

interface Watch {
  /** The S1 of this payer was written to the till. */
  readonly delivered: (payer: RailPayer) => boolean
}

/** Notes when each S1 came to the till and its S2 to a relay. */
function timesOf({ stage, times }: Course): Watch {
  const at = new Map<string, number>()
  const timed = new Set<string>()
  for (const relay of stage.relays)
    relay.watcher = {
      delivered: ({ id }) => void at.set(id, at.get(id) ?? Date.now()),
      posted(event) {
        const [, to] = event.tags[0] ?? []
        const payer = stage.world.payers.find(({ pubkey }) => pubkey === to)
        const [since] = payer?.wraps.flatMap((id) => at.get(id) ?? []) ?? []
        if (payer && since !== undefined && !timed.has(payer.slateId)) times.push(Date.now() - since)
        if (payer) timed.add(payer.slateId)
        return 'serve'
      },
    }
  return { delivered: (payer) => payer.wraps.some((id) => at.has(id)) }
}

async function act(course: Course, moment: Moment, now: Act): Promise<void> {
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

/** S1 and void message lie with the relays together; in which order they are read nobody knows. */
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

/** All that is owed is done, in a long run also what waits: letters ended, events delivered, pushed payments confirmed. Then a clean end and the last look. */
async function recover(course: Course): Promise<void> {
  const { stage, faults } = course
  const till = await start(course, -1)
  const isSettled = async () => {
    const { webhooks, letters } = (await stage.status()) as Record<'webhooks' | 'letters', { pending: number }>
    const confirmed = stage.hooks.events.filter(({ json }) => json.event_type === 'payment.confirmed')
    const ids = new Set(confirmed.map(({ json }) => String(json.payment.slate_id)))
    return webhooks.pending === 0 && letters.pending === 0 && [...stage.pushed].every((id) => ids.has(id))
  }
  const areTold = async () => ((await stage.status()) as Record<'webhooks', { pending: number }>).webhooks.pending === 0
  const isOver = course.isLong ? isSettled : areTold
  for (const end = Date.now() + LETTERS_MS; Date.now() < end && !(await isOver()); ) await pause(500)
  await till.stop()
  faults.push(...findRailFaults(stage.world), ...findUnfinished(stage.world, course.isLong))
  faults.push(...findLosses(stage.world.path, emptyLedger(), stage.hooks.events))
}
