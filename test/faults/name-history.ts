// The history of a name authority, replayed from its first line: whether every line was possible, and whether the tables are what it leads to.
import type { Line, NameRow, Tables } from './name-rows.js'

const LETTERS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'il',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
}

const bare = (name: string): string => name.replace(/[^a-z0-9]/g, '')
const passesFor = (a = '', b = ''): boolean =>
  a === b || (LETTERS[a] ?? '').includes(b) || (LETTERS[b] ?? '').includes(a)

/** Whether people could take one name for the other. */
export function areAlike(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)]
  return a.length === b.length && [...a].every((sign, at) => passesFor(sign, b[at]))
}

/** Look-alikes share it. */
const blurred = (name: string): string =>
  bare(name)
    .replace(/[1l]/g, 'i')
    .replace(/[0345789]/g, (digit) => LETTERS[digit] ?? '')

/** Names that can be asked for what looks like one of them. */
function createCrowd() {
  const groups = new Map<string, Set<string>>()
  return {
    add: (name: string) => void groups.set(blurred(name), (groups.get(blurred(name)) ?? new Set()).add(name)),
    drop: (name: string) => void groups.get(blurred(name))?.delete(name),
    like: (name: string) => [...(groups.get(blurred(name)) ?? [])].filter((other) => areAlike(name, other)),
  }
}

interface Held {
  readonly key: string
  readonly since: number
  suspended: boolean
}

/** Where the lines so far lead to. */
function createRegister() {
  return {
    held: new Map<string, Held>(),
    nameOf: new Map<string, string>(),
    /** Names that were given up: by whom, when. */
    left: new Map<string, { readonly key: string; readonly at: number }>(),
    reserved: new Set<string>(),
    crowd: createCrowd(),
    keptBack: createCrowd(),
  }
}
type Register = ReturnType<typeof createRegister>

/** What is wrong with a line; empty when nothing is. Applies it all the same. */
type Step = (register: Register, line: Line, name: string, key: string) => readonly (readonly [boolean, string])[]

const take: Step = ({ held, nameOf, left, crowd, keptBack }, { action, at }, name, key) => {
  const wrongs = [
    [held.has(name), `taken from ${held.get(name)?.key} without a word`],
    [nameOf.has(key), `a second name beside ${nameOf.get(key)}`],
    [crowd.like(name).length > 0, `looks like ${crowd.like(name)}`],
    [action === 'claim' && keptBack.like(name).length > 0, `claimed though ${keptBack.like(name)} is reserved`],
  ] as const
  held.set(name, { key, since: at, suspended: false })
  nameOf.set(key, name)
  left.delete(name)
  crowd.add(name)
  return wrongs
}

const leave: Step = ({ held, nameOf, left, crowd }, { actor, at }, name, key) => {
  const before = held.get(name)
  const wrongs = [
    [before?.key !== key, `given up by who does not hold it (${before?.key})`],
    [actor !== 'operator' && before?.suspended === true, 'given up though it is suspended'],
  ] as const
  held.delete(name)
  nameOf.delete(key)
  left.set(name, { key, at })
  crowd.drop(name)
  return wrongs
}

const suspension =
  (suspended: boolean): Step =>
  ({ held }, _, name) => {
    const row = held.get(name)
    const isWrong = row === undefined || row.suspended === suspended
    if (row) row.suspended = suspended
    return [[isWrong, 'was so before, or has no holder']]
  }

const STEPS: Readonly<Record<string, Step>> = {
  claim: take,
  assign: take,
  transfer: take,
  release: leave,
  evict: leave,
  suspend: suspension(true),
  resume: suspension(false),
  reserve: ({ reserved, keptBack }, _, name) => {
    keptBack.add(name)
    return [[reserved.size === reserved.add(name).size, 'was reserved before']]
  },
  unreserve: ({ reserved, keptBack }, _, name) => {
    keptBack.drop(name)
    return [[!reserved.delete(name), 'was not reserved']]
  },
  'void-grant': () => [],
}

/** Lines that could not be, and rows that no line explains. */
export function findHistoryFaults({ audit, names, reserved }: Tables): readonly string[] {
  const register = createRegister()
  const lines = audit.flatMap((line, index) => {
    const step = STEPS[line.action]
    const wrongs = step?.(register, line, line.name ?? '', line.key ?? '') ?? [[true, 'unknown action']]
    const gap = index > 0 && line.seq !== (audit[index - 1]?.seq ?? 0) + 1
    return [...wrongs, [gap, 'a line before it is missing'] as const].flatMap(([isWrong, text]) =>
      isWrong ? [`line ${line.seq}, ${line.action} ${line.name}: ${text}`] : [],
    )
  })
  const known = new Set(reserved)
  const lists = [
    ...reserved.filter((name) => !register.reserved.has(name)).map((name) => `reserved ${name}: no line says so`),
    ...[...register.reserved].filter((name) => !known.has(name)).map((name) => `reserved ${name}: is gone`),
  ]
  return [...lines, ...lists, ...findRowFaults(register, names), ...findDoubles(names)]
}

function findRowFaults({ held, left }: Register, names: readonly NameRow[]): readonly string[] {
  const rows = new Set(names.map(({ name }) => name))
  const gone = [...held.keys(), ...left.keys()].filter((name) => !rows.has(name))
  return [
    ...gone.map((name) => `name ${name}: its row is gone`),
    ...names.flatMap((row) => {
      const text = row.releasedAt === null ? aboutHeld(row, held.get(row.name)) : aboutLeft(row, left.get(row.name))
      return text === undefined ? [] : [`name ${row.name}: ${text}`]
    }),
  ]
}

function aboutHeld({ key, createdAt, suspendedAt }: NameRow, held: Held | undefined): string | undefined {
  if (held === undefined) return 'held, and no line says so'
  if (held.key !== key) return `held by ${key}, its lines say ${held.key}`
  if (held.since !== createdAt) return `held since ${createdAt}, its lines say ${held.since}`
  return held.suspended === (suspendedAt !== null) ? undefined : 'suspended or not, its lines say otherwise'
}

function aboutLeft({ key, releasedAt }: NameRow, left: ReturnType<Register['left']['get']>): string | undefined {
  if (left === undefined) return 'given up, and no line says so'
  return left.key === key && left.at === releasedAt ? undefined : 'given up otherwise than its lines say'
}

/** Looked for in the rows themselves as well. */
function findDoubles(names: readonly NameRow[]): readonly string[] {
  const active = names.filter(({ releasedAt }) => releasedAt === null)
  const nameOf = new Map<string, string>()
  const crowd = createCrowd()
  return active.flatMap(({ name, key }) => {
    const [second, twins] = [nameOf.get(key), crowd.like(name)]
    nameOf.set(key, name)
    crowd.add(name)
    return [
      ...(second === undefined ? [] : [`key ${key} holds ${second} and ${name}`]),
      ...twins.map((twin) => `${name} and ${twin} look alike`),
    ]
  })
}
