// Some wallets for a day: people with one or two windows, their slates, nodes that lie, a chain that forks, and drops at any await.
import { outputIdentifier } from '../../../src/grin/keychain/index.js'
import { createBlockSeal } from '../../../src/sandbox/block.js'
import { createSimulatedChain } from '../../../src/sandbox/chain.js'
import { createValidate } from '../../../src/sandbox/control.js'
import { makeCoinbase } from '../../../src/sandbox/payer.js'
import { parseKernel, parseOutput } from '../../../src/sandbox/transaction-json.js'
import { createChance } from '../ground/chance.js'
import { startTime } from '../ground/time.js'
import { createTrace } from '../ground/trace.js'
import type { WorldOptions, WorldResult } from '../world.js'
import { checkWallets } from './checks.js'
import { createNodes, LIES, type Mood, TROUBLES, type WorldNode } from './nodes.js'
import { createPeople, type Person } from './people.js'
import { createProofs } from './proofs.js'
import { createWitness } from './witness.js'

export const FAULTS = ['drops', 'storage', 'nodes', 'lies', 'reorganisations', 'mail', 'clock', 'restores'] as const
export const ACTORS = ['second windows', 'subscribers', 'payments to oneself', 'late locks'] as const

const START = Date.UTC(2026, 0, 5, 6)
const HOUR_MS = 3_600_000
const GRIN = 1_000_000_000n
/** One world in so many has real range proofs. */
const REAL_PROOFS = 200

/** Lives a world to its end. */
export async function liveWalletWorld(seed: number, options: WorldOptions): Promise<WorldResult> {
  const { without = [], hours, untilMs, print } = options
  const chance = createChance(`wallet ${seed}`)
  const plan = chance.stream('plan')
  const spanMs = (hours ?? Number(plan.weighted({ 1: 4, 3: 3, 8: 1 }))) * HOUR_MS
  const happens = (what: string): boolean => !without.includes(what)
  const time = startTime(START)
  const plainRandom = crypto.getRandomValues
  const strangers = chance.stream('libraries')
  crypto.getRandomValues = ((bytes: Uint8Array) => {
    bytes.set(strangers.bytes(bytes.byteLength))
    return bytes
  }) as typeof plainRandom
  const trace = createTrace(time.now, () => undefined, print)
  try {
    const salt = chance.stream('blocks')
    const chain = createSimulatedChain({ seal: createBlockSeal(() => salt.bytes(8)), genesisAt: time.now() })
    const proofs = createProofs(seed % REAL_PROOFS === 0)
    const witness = createWitness(trace.state)
    const nodes = createNodes({ time, chance: chance.stream('nodes'), chain, validate: createValidate(proofs.verify) })
    const worldNodes = Array.from({ length: plan.whole(1, 3) }, (): WorldNode => ({ mood: 'well' }))
    let dropping = 0
    const folk = createPeople({
      ...{ time, chance: chance.stream('people'), trace, witness, nodes, worldNodes, proofs, happens },
      dropping: () => dropping,
    })
    const mine = (blocks: number): void => {
      for (let mined = 0; mined < blocks; mined++) chain.mine(time.now())
    }
    let isOver = false

    async function fund({ keychain }: Person): Promise<void> {
      for (let index = 0; index < 5; index++) {
        const parts = { keychain, prove: proofs.prove, random: chance.stream(`coinbases ${index}`) }
        const value = BigInt(plan.whole(5, 30)) * GRIN
        const { output, kernel } = (await makeCoinbase(outputIdentifier(0, index), value, parts)).json as {
          readonly output: unknown
          readonly kernel: unknown
        }
        chain.mine(time.now(), { coinbase: { output: parseOutput(output)!, kernel: parseKernel(kernel)! } })
      }
    }

    async function blocks(): Promise<void> {
      const own = chance.stream('times of blocks')
      while (!isOver) {
        await time.sleep(10_000 + own.around(50_000))
        mine(1)
        if (!happens('reorganisations') || !own.is(0.02)) continue
        const [depth, forget] = [Math.min(own.whole(1, 8), chain.ledger.tip().height - 1), own.is(0.2)]
        chain.reorg(depth, time.now(), { forget })
        trace.fault(`reorganisation × ${depth}${forget ? ' forgets' : ''}`)
        trace.note('chain', 'reorganises', `${depth}${forget ? ', forgets' : ''}`)
      }
    }

    async function live(person: Person, place: number): Promise<void> {
      const own = chance.stream(`pace of ${person.name} ${place}`)
      const mean = own.pick([20_000, 120_000, 600_000])
      while (!isOver) {
        await time.sleep(own.around(mean))
        if (!isOver) await folk.act(person, place)
      }
    }

    async function troubles(end: number): Promise<void> {
      const own = chance.stream('troubles')
      while (time.now() < end) {
        await time.sleep(own.around(HOUR_MS / 3))
        const fault = own.pick(['nodes', 'lies', 'storage', 'clock', 'restores', 'drops'] as const)
        const person = own.pick(folk.people)
        const lasts = own.around(15 * 60_000)
        if (!happens(fault) || person.isRestoring) continue
        trace.note('trouble', fault)
        if (fault === 'nodes' || fault === 'lies') {
          const node = own.pick(worldNodes)
          node.mood = own.pick<Mood>(fault === 'nodes' ? TROUBLES : LIES)
          trace.fault(`${fault} × ${node.mood}`)
          await time.sleep(lasts)
          node.mood = 'well'
        } else if (fault === 'storage') {
          const { storage } = person
          storage.failing = own.pick([0.2, 1])
          await time.sleep(lasts)
          storage.failing = 0
        } else if (fault === 'clock') {
          const window = own.pick(person.windows)
          if (window) window.process.skewMs = own.pick([-HOUR_MS, 6 * HOUR_MS, 10 * 365 * 24 * HOUR_MS])
          trace.fault('clock × window')
        } else if (fault === 'drops') {
          own.pick(person.windows)?.drop('any time')
        } else if (own.is(0.4)) {
          trace.fault('restores × words')
          await folk.startAnew(person)
        }
      }
    }

    async function world(): Promise<void> {
      const names = ['ann', 'ben', 'cay'].slice(0, plan.whole(2, 3))
      for (const name of names) {
        const person = folk.add(name, happens('second windows') ? plan.whole(1, 2) : 1)
        await fund(person)
      }
      mine(5)
      for (const person of folk.people) await folk.find(person)
      dropping = happens('drops') ? plan.pick([0, 0.0005, 0.003]) : 0
      const end = time.now() + spanMs
      const lives = folk.people.flatMap((person) => person.windows.map((_, place) => live(person, place)))
      const around = [blocks(), ...lives]
      await troubles(end)
      isOver = true
      await Promise.all(around)
      dropping = 0
      for (const node of worldNodes) node.mood = 'well'
      await checkWallets({ people: folk, nodes, chain, proofs, witness, mine })
      for (const person of folk.people) for (const window of person.windows) if (window) window.process.isGone = true
    }

    const over = untilMs === undefined ? [] : [time.sleep(untilMs)]
    await time.run(Promise.race([world(), ...over]))
    return {
      ...{ hash: trace.hash(), days: (time.now() - START) / (24 * HOUR_MS), failures: witness.failures },
      ...trace.counts(),
    }
  } finally {
    crypto.getRandomValues = plainRandom
    time.end()
  }
}
