// Fewest faults and actors with which a seed still fails.
import { checkLeftOut } from './options.js'
import type { World, WorldOptions, WorldResult } from './world.js'

/** A world that cannot be lived to its end has failed too. */
export async function live(world: World, seed: number, options: WorldOptions): Promise<WorldResult> {
  checkLeftOut(world, options.without ?? [])
  try {
    return await world.run(seed, options)
  } catch (thrown) {
    const what = `the world broke: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`
    const nothing = new Map<string, number>()
    const failures = [{ invariant: 0, what }]
    return { hash: 'none', days: 0, failures, happenings: nothing, faults: nothing, states: nothing }
  }
}

/** Names to leave out. Again from the start until no name can go any more: one fault may hide what another does. */
export async function shrink(world: World, seed: number, options: WorldOptions): Promise<readonly string[]> {
  const first = await live(world, seed, options)
  const wanted = new Set(first.failures.map(({ invariant }) => invariant))
  let without = options.without ?? []
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const name of [...world.faults, ...world.actors].filter((one) => !without.includes(one))) {
      const { failures } = await live(world, seed, { ...options, without: [...without, name] })
      if (!failures.some(({ invariant }) => wanted.has(invariant))) continue
      without = [...without, name]
      isSmaller = true
    }
  }
  return without
}
