// npm run simulate: lives worlds, each from its number, and prints what does not hold with the command that repeats it.
//   --kind till              till, names, relay, cluster, wallet, or all
//   --seed 4711              one world; its hash is the same on every machine
//   --seeds 1..2000          many
//   --minutes 60             as many as that takes, from --seed on
//   --hours 6                simulated hours instead of those that the seed chooses
//   --trace                  what happens, in simulated time
//   --until "2d 07:15:02"    ends the world there, before its rest
//   --without drops,nodes    leaves faults and actors out
//   --shrink                 the fewest faults and actors with which the world still fails
//   --keep                   keeps what was reached, to compare later runs with (test/simulation/reached)
import { createCoverage } from './coverage.js'
import { checkLeftOut, type Options, readOptions, Usage } from './options.js'
import { live, shrink } from './shrink.js'
import type { World, WorldOptions, WorldResult } from './world.js'
import { WORLDS } from './worlds.js'

const begun = process.hrtime.bigint()
const seconds = (): number => Number(process.hrtime.bigint() - begun) / 1e9

/** Of the processor: what others do on this machine changes nothing. */
function coreSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function worldOptionsOf({ without, hours, untilMs, trace }: Options): WorldOptions {
  return {
    without,
    ...(hours === undefined ? {} : { hours }),
    ...(untilMs === undefined ? {} : { untilMs }),
    ...(trace ? { print: (line: string) => void console.log(line) } : {}),
  }
}

async function report(world: World, seed: number, result: WorldResult, options: Options): Promise<void> {
  const { trace: _, ...quiet } = options
  const wanted = worldOptionsOf({ ...quiet, trace: false })
  const without = options.shrink ? await shrink(world, seed, wanted) : options.without
  for (const { invariant, what } of result.failures) console.log(`  invariant ${invariant}: ${what}`)
  const flags = [
    ...(world.kind === 'till' ? [] : [`--kind ${world.kind}`]),
    ...[`--seed ${seed}`, ...(without.length === 0 ? [] : [`--without ${without.join(',')}`])],
    ...(options.hours === undefined ? [] : [`--hours ${options.hours}`]),
  ]
  console.log(`  repeat: npm run simulate -- ${flags.join(' ')} --trace`)
}

/** How many of these seeds fail. */
async function runKind(world: World, options: Options): Promise<number> {
  checkLeftOut(world, options.without)
  const coverage = createCoverage(world.kind)
  const startedAt = seconds()
  const startedOnCore = coreSeconds()
  const isInTime = () => options.minutes === undefined || seconds() - startedAt < options.minutes * 60
  let [seeds, days, faults, failed] = [0, 0, 0, 0]
  for (let seed = options.first; seed <= options.last && isInTime(); seed++) {
    const result = await live(world, seed, worldOptionsOf(options))
    const count = [...result.faults.values()].reduce((sum, one) => sum + one, 0)
    coverage.add(result)
    seeds += 1
    days += result.days
    faults += count
    console.log(`${world.kind} ${seed} ${result.hash} ${result.days.toFixed(2)} days, ${count} faults`)
    if (result.failures.length === 0) continue
    failed += 1
    await report(world, seed, result, options)
  }
  if (!options.trace) for (const line of coverage.lines()) console.log(line)
  if (options.keep) coverage.keep()
  const taken = coreSeconds() - startedOnCore
  const rates = `${(seeds / taken).toFixed(2)} seeds a second, ${((days * 60) / taken).toFixed(1)} simulated days a minute of one core`
  console.log(
    `${world.kind}: ${seeds} seeds, ${days.toFixed(1)} days, ${faults} faults; ${rates}; ${failed} worlds fail`,
  )
  return failed
}

async function main(): Promise<boolean> {
  const options = readOptions()
  let failed = 0
  for (const kind of options.kinds) {
    const world = await WORLDS[kind]?.()
    if (world) failed += await runKind(world, options)
  }
  return failed === 0
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  if (!(error instanceof Usage)) throw error
  console.error(error.message)
  process.exitCode = 2
}
