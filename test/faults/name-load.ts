// People who claim, change, give up and pay for names at a name authority that may die at any moment. Every request is sent twice at
// least: again at once, to whichever process answers, and (by the rounds) again after the next restart.
import type { Answer, LivingAuthority } from './name-life.js'
import type { Asked, NameLog } from './name-log.js'
import { aName, asksOf, chance, newPerson, oneOf, type Person } from './name-people.js'

const PEOPLE = 40
const CLAIMERS = 7

export interface World {
  readonly log: NameLog
  /** Processes that answer now; the rounds change it. */
  readonly serving: LivingAuthority[]
  readonly people: readonly Person[]
  readonly stop: AbortSignal
  /** Milliseconds between two deeds of one person; long while a process starts, which needs the machine for itself. */
  pace: number
  /** Counts what came back. */
  answers: number
}

export const newPeople = (): readonly Person[] => Array.from({ length: PEOPLE }, newPerson)

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits for a request; undefined once the rounds are over. */
async function someone({ serving, stop }: World): Promise<LivingAuthority | undefined> {
  while (serving.length === 0 && !stop.aborted) await pause(10)
  return oneOf(serving)
}

const wasReplayed = (answer: Answer | undefined): boolean => answer?.json?.error === 'auth event replayed'

/** Sends a request; often to two processes at once. Then again: a captured request is worth nothing. */
export async function put(world: World, asked: Asked): Promise<Answer | undefined> {
  const first = await someone(world)
  const twin = chance(0.15) ? await someone(world) : undefined
  const answers = await Promise.all([first?.ask(asked), twin?.ask(asked)])
  const again = await (await someone(world))?.ask(asked)
  world.answers += 1
  return [...answers, again].find((answer) => answer !== undefined && !wasReplayed(answer))
}

/** Claims, and pays when that is asked for; now and then before the payment is deep enough. */
export async function claim(world: World, person: Person, name: string, tries = 3): Promise<boolean> {
  const answer = await put(world, asksOf(world.log).claim(person, name))
  const isHeld = answer?.status === 201 || answer?.status === 200
  if (isHeld) person.name = name
  if (answer?.status !== 402 || tries === 0) return isHeld
  const bill = world.log.bills.get(answer.json.invoice_id)
  if (bill && bill.status !== 'confirmed' && bill.status !== 'expired') {
    const isRefusedYet = bill.status === 'open' && chance(0.3)
    bill.status = isRefusedYet ? 'paid' : bill.status === 'open' && chance(0.08) ? 'expired' : 'confirmed'
  }
  return claim(world, person, name, tries - 1)
}

async function release(world: World, person: Person): Promise<void> {
  const { name } = person
  if (name === undefined) return
  const answer = await put(world, asksOf(world.log).release(person, name))
  if (answer && answer.status !== 200 && answer.status !== 404) return
  if (person.name === name) person.name = undefined
}

/** What one of them does next. */
const DEEDS: readonly ((world: World, person: Person) => Promise<unknown>)[] = [
  (world, person) => claim(world, person, aName()),
  (world, person) => claim(world, person, person.name ?? aName()),
  // One key, two names at once.
  (world, person) => Promise.all([claim(world, person, aName()), claim(world, person, aName())]),
  // One name, or one that looks like it, several keys at once.
  (world, person) => {
    const name = aName()
    const others = [oneOf(world.people), oneOf(world.people)].filter((one) => one !== undefined)
    return Promise.all([person, ...others].map((one) => claim(world, one, chance(0.5) ? name : `${name}-1`)))
  },
  release,
  (world, person) => Promise.all([release(world, person), claim(world, person, aName())]),
]

/** Runs until `stop`. */
export async function keepClaiming(world: World): Promise<void> {
  await Promise.all(
    Array.from({ length: CLAIMERS }, async () => {
      while (!world.stop.aborted) {
        const person = oneOf(world.people)
        if (person) await oneOf(DEEDS)?.(world, person)
        await pause(world.pace * Math.random())
      }
    }),
  )
}
