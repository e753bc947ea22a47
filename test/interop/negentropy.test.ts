// Our reconciling against the Rust crate `negentropy` on the other side, with messages cut at random lengths.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { toHex } from '../../src/lib/bytes.js'
import { createDifferences, firstMessage, openRound } from '../../src/relay/negentropy/round.js'
import { createRelayReconciler } from '../../src/relay/sync/relay-reconciler.js'
import { answerer, type Item, idsOf, inOrder, itemOf, setOf } from '../relay/negentropy/sets.js'

const ORACLES = process.env.GRINPAY_ORACLES ?? join(homedir(), '.cache/grinpay-oracles')
const PROGRAM = join(ORACLES, 'bin/negentropy-side')
const missing = existsSync(PROGRAM) ? '' : `no negentropy-side in ${ORACLES}/bin (test/interop/install-rails.sh)`

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill()
})

/** One side of the crate; `ask` sends a line and gives the answering one. */
function openSide(items: readonly Item[], frameBytes: number) {
  const child = spawn(PROGRAM, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  child.stdin.write(`new ${frameBytes} ${items.map(({ time, id }) => `${time}:${id}`).join(' ')}\n`)
  return {
    async ask(line: string): Promise<string> {
      child.stdin.write(`${line}\n`)
      const answer: string = (await lines.next()).value
      expect(answer).not.toMatch(/^error/)
      return answer
    },
    end: () => child.stdin.end(),
  }
}

const items = fc.array(
  fc.record({
    time: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 ** 31 })),
    seed: fc.nat(900),
  }),
  { maxLength: 600 },
)
const pairs = fc.record({ common: items, ours: items, theirs: items }).map(({ common, ours, theirs }) => {
  const made = (list: typeof common, name: string) => list.map(({ time, seed }) => itemOf(time, `${name}${seed}`))
  const both = made(common, 'c')
  return { ours: inOrder([...both, ...made(ours, 'o')]), theirs: inOrder([...both, ...made(theirs, 't')]) }
})
const frames = fc.oneof(fc.constant(4097), fc.integer({ min: 4097, max: 30_000 }))
const without = (from: readonly Item[], among: readonly Item[]): string[] => {
  const known = new Set(among.map(({ id }) => id))
  return idsOf(from.filter(({ id }) => !known.has(id)))
}
const unique = (ids: readonly string[]) => [...new Set(ids)].sort()

describe.skipIf(missing !== '')(`the Rust crate negentropy ${missing}`, () => {
  test('answers us', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, frames, frames, async ({ ours, theirs }, ourFrame, theirFrame) => {
        const side = openSide(theirs, theirFrame)
        const [set, differences] = [setOf(ours), createDifferences(100_000)]
        for (let message = firstMessage(set); ; ) {
          const round = openRound(
            { set, frameBytes: ourFrame, differences },
            Buffer.from(await side.ask(`answer ${toHex(message)}`), 'hex'),
          )
          while (!round.advance(100));
          if (round.isAgreed()) break
          message = round.answer()
        }
        side.end()
        expect(unique(differences.have)).toEqual(without(ours, theirs))
        expect(unique(differences.need)).toEqual(without(theirs, ours))
      }),
      { numRuns: 100 },
    )
  })

  test('asks us', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, frames, frames, async ({ ours, theirs }, ourFrame, theirFrame) => {
        const side = openSide(theirs, theirFrame)
        const answer = answerer(setOf(ours), ourFrame)
        const [have, need]: [string[], string[]] = [[], []]
        for (let message = await side.ask('initiate'); message !== '-'; ) {
          const [next = '-', had = '', needed = ''] = (
            await side.ask(`learn ${toHex(answer(Buffer.from(message, 'hex')))}`)
          ).split(' ')
          have.push(...had.split(',').filter(Boolean))
          need.push(...needed.split(',').filter(Boolean))
          message = next
        }
        side.end()
        expect(unique(have)).toEqual(without(theirs, ours))
        expect(unique(need)).toEqual(without(ours, theirs))
      }),
      { numRuns: 100 },
    )
  })

  test('is on the other side of relay sync', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, frames, frames, async ({ ours, theirs }, ourFrame, theirFrame) => {
        const side = openSide(theirs, theirFrame)
        const here = answerer(setOf(ours), ourFrame)
        const middleman = createRelayReconciler(100_000)
        for (let next = middleman.next(); next; next = middleman.next()) {
          if (next.side === 'here') middleman.answered(here(next.message))
          else middleman.answered(Buffer.from(await side.ask(`answer ${toHex(next.message)}`), 'hex'))
        }
        side.end()
        expect(unique(middleman.differences.have)).toEqual(without(ours, theirs))
        expect(unique(middleman.differences.need)).toEqual(without(theirs, ours))
      }),
      { numRuns: 100 },
    )
  })
})
