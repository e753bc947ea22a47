// fast-check as the tests get it (vitest.config.ts): a fifth of the runs that a property names, all of them with GRINPAY_PROPERTIES=full. What
// fails says how it is repeated.
import { expect } from 'vitest'
import * as fastCheck from '../../node_modules/fast-check/lib/fast-check.js'

export * from '../../node_modules/fast-check/lib/fast-check.js'

/** Of fast-check itself. */
const USUAL_RUNS = 100
const FEWER = 5

export interface Wanted {
  readonly isFull: boolean
  readonly seed: number | undefined
}

type Assert = typeof fastCheck.assert

/** `assert` with that many runs, from that seed. */
export function createAssert({ isFull, seed }: Wanted): Assert {
  return ((property: fastCheck.IRawProperty<unknown>, given: fastCheck.Parameters<unknown> = {}) => {
    const { numRuns = USUAL_RUNS, examples = [] } = given
    // Its examples count as runs.
    const runs = isFull ? numRuns : Math.max(examples.length + 1, Math.ceil(numRuns / FEWER))
    const parameters = { ...(seed !== undefined && { seed }), ...given, numRuns: runs }
    try {
      const done: void | Promise<void> = fastCheck.assert(property, parameters)
      return done instanceof Promise ? done.catch((error: unknown) => fail(error, isFull)) : done
    } catch (error) {
      return fail(error, isFull)
    }
  }) as Assert
}

function fail(error: unknown, isFull: boolean): never {
  const [, seed] = /\bseed: (-?\d+)/.exec(error instanceof Error ? error.message : '') ?? []
  if (error instanceof Error && seed !== undefined) {
    const { testPath = '', currentTestName = '' } = expect.getState()
    const variables = `GRINPAY_PROPERTY_SEED=${seed}${isFull ? ' GRINPAY_PROPERTIES=full' : ''}`
    const name = JSON.stringify(currentTestName.replaceAll(' > ', ' '))
    error.message += `\n\nTo repeat: ${variables} npx vitest run ${testPath} -t ${name}`
  }
  throw error
}

const { GRINPAY_PROPERTIES, GRINPAY_PROPERTY_SEED } = process.env

export const assert = createAssert({
  isFull: GRINPAY_PROPERTIES === 'full',
  seed: GRINPAY_PROPERTY_SEED === undefined ? undefined : Number(GRINPAY_PROPERTY_SEED),
})

export default { ...fastCheck, assert }
