// npm run simulate: lives worlds, each from its number, and prints what does not hold with the command that repeats it.
//   --seed 4711              one world; its hash is the same on every machine
//   --seeds 1..2000          many
//   --minutes 60             as many as that takes, from --seed on
//   --trace                  what happens, in simulated time
//   --without drops,nodes    leaves faults out
//   --shrink                 the fewest faults with which the world still fails
import { parseArgs } from 'node:util'
import { FAULTS, type Fault, liveTillWorld, type WorldResult } from './till/world.js'

class Usage extends Error {}

/** Throws Usage. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string' },
        seeds: { type: 'string' },
        minutes: { type: 'string' },
        kind: { type: 'string', default: 'till' },
        without: { type: 'string', default: '' },
        trace: { type: 'boolean', default: false },
        shrink: { type: 'boolean', default: false },
      },
    })
    if (values.kind !== 'till') throw new Usage(`--kind ${values.kind}: there is till`)
    const without = values.without.split(',').filter(Boolean)
    for (const fault of without)
      if (!FAULTS.includes(fault as Fault)) throw new Usage(`--without ${fault}: one of ${FAULTS.join(', ')}`)
    const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
    if (minutes !== undefined && !(minutes > 0)) throw new Usage(`--minutes ${values.minutes}: a number above 0`)
    const [first, last] = rangeOf(values.seed ?? values.seeds ?? '1..10', minutes !== undefined)
    return { ...values, without: without as readonly Fault[], minutes, first, last }
  } catch (error) {
    throw error instanceof Usage ? error : new Usage(error instanceof Error ? error.message : String(error))
  }
}

function rangeOf(text: string, isOpen: boolean): readonly [number, number] {
  const [, first, last = first] = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(text) ?? []
  if (first === undefined || Number(last) < Number(first)) throw new Usage(`${text}: a number, or two as in 1..2000`)
  return [Number(first), isOpen ? Number.MAX_SAFE_INTEGER : Number(last)]
}

const fails = ({ findings }: WorldResult): boolean => findings.length > 0

/** Leaves one fault after the other out, as long as something still fails. */
async function shrink(seed: number, without: readonly Fault[]): Promise<readonly Fault[]> {
  let left = without
  for (const fault of FAULTS)
    if (!left.includes(fault) && fails(await liveTillWorld({ seed, without: [...left, fault] })))
      left = [...left, fault]
  return left
}

function report(world: WorldResult, without: readonly Fault[]): void {
  for (const { invariant, what } of world.findings) console.log(`  invariant ${invariant}: ${what}`)
  const left = without.length === 0 ? '' : ` --without ${without.join(',')}`
  console.log(`  repeat: npm run simulate -- --seed ${world.seed}${left} --trace`)
}

async function main(): Promise<boolean> {
  const { first, last, minutes, without, trace, ...options } = readOptions()
  const begun = process.hrtime.bigint()
  const seconds = () => Number(process.hrtime.bigint() - begun) / 1e9
  const reached = new Map<string, number>()
  let [days, failed] = [0, 0]
  for (let seed = first; seed <= last && (minutes === undefined || seconds() < minutes * 60); seed++) {
    const print = trace ? (line: string) => void console.log(line) : undefined
    const world = await liveTillWorld({ seed, without, ...(print && { print }) })
    days += world.days
    for (const [what, count] of world.reached) reached.set(what, (reached.get(what) ?? 0) + count)
    const { invoices, payments, faults, hash } = world
    console.log(`${seed} ${hash} ${world.days} days, ${invoices} invoices, ${payments} payments, ${faults} faults`)
    if (!fails(world)) continue
    failed += 1
    report(world, options.shrink ? await shrink(seed, without) : without)
  }
  for (const [what, count] of [...reached].sort()) console.log(`${String(count).padStart(8)} ${what}`)
  console.log(`${days} days, ${((days * 60) / seconds()).toFixed(1)} a minute; ${failed} worlds fail`)
  return failed === 0
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  if (!(error instanceof Usage)) throw error
  console.error(error.message)
  process.exitCode = 2
}
