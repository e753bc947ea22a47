// Which request made which line of the history: everything acknowledged has its line, every line has its request.
import type { Asked, Attempt, Life, NameLog, Order } from './name-log.js'
import { isDone, isOpen, isUsedUp } from './name-log.js'
import type { Line, Tables } from './name-rows.js'

/** When something can have happened, and under which settings. */
interface Cause {
  readonly sentAt: number
  readonly endedAt: number
  readonly life: Life
}

interface Wish {
  readonly text: string
  /** The answer said that this is done. */
  readonly isDone: boolean
  /** When it can have happened. */
  readonly windows: readonly { readonly sentAt: number; readonly endedAt: number; readonly life?: Life }[]
}

/** The attempts that can have changed something: the acknowledged one, or all that got no answer. */
function effective({ verb, attempts }: Asked): readonly Attempt[] {
  const taken = attempts.filter(isUsedUp)
  return taken.length > 0 ? taken.filter((one) => isDone(verb, one)) : attempts.filter(isOpen)
}

function wishOf(asked: Asked): Wish {
  const windows = effective(asked)
  const { id, verb, name, key } = asked
  return { text: `${verb} ${name} by ${key} (${id})`, isDone: windows.some((one) => isDone(verb, one)), windows }
}

const orderWish = (order: Order): Wish => ({
  text: `${order.verb} ${order.name} by the operator`,
  isDone: order.outcome === 'done',
  windows: order.outcome === 'refused' ? [] : [order],
})

const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

const covers = ({ windows }: Wish, at: number): boolean =>
  windows.some(({ sentAt, endedAt }) => sentAt <= at && at <= endedAt)

/** The line's kind, as requests and commands are sorted too; undefined for what goes with the next or previous line. */
function kindOf(line: Line, before: Line | undefined, after: Line | undefined): string | undefined {
  const { actor, action, name, key } = line
  if (actor === 'holder') return `${action} ${name} ${key}`
  if (actor === 'sale') return action === 'transfer' ? `buy ${name} ${key}` : undefined
  if (action === 'reserve' && before?.action === 'evict' && before.name === name && before.at === line.at)
    return undefined
  if (action === 'release' && after?.action === 'assign' && after.key === key && after.at === line.at) return undefined
  return `operator ${action} ${name}`
}

/** A holder's release may be half of a change; then it needs no request of its own. */
const isHalf = ({ actor, action, key, at }: Line, after: Line | undefined): boolean =>
  actor === 'holder' && action === 'release' && after?.action === 'claim' && after.key === key && after.at === at

export interface Matches {
  readonly faults: readonly string[]
  /** The attempts that can have written a line, each with its settings; of claims, releases and sales. */
  causesOf(line: Line): readonly Cause[]
}

export function matchLines({ audit, lineOf }: Tables, log: NameLog): Matches {
  const changes = log.asked.filter(({ verb }) => verb === 'claim' || verb === 'release' || verb === 'buy')
  const wishes = new Map([
    ...[...grouped(changes, ({ verb, name, key }) => `${verb} ${name} ${key}`)].map(
      ([kind, group]) => [kind, group.map(wishOf)] as const,
    ),
    ...[...grouped(log.orders, ({ verb, name }) => `operator ${verb} ${name}`)].map(
      ([kind, group]) => [kind, group.map(orderWish)] as const,
    ),
  ])
  const sorted = audit.flatMap((line, index) => {
    const after = audit[index + 1]
    const kind = kindOf(line, audit[index - 1], after)
    return kind === undefined ? [] : [{ kind, line, half: isHalf(line, after) }]
  })
  const lines = grouped(sorted, ({ kind }) => kind)
  const kinds = new Set([...wishes.keys(), ...lines.keys()])
  const lifeKinds = new Map(sorted.map(({ kind, line }) => [line.seq, kind]))
  return {
    faults: [...kinds].flatMap((kind) => matchKind(wishes.get(kind) ?? [], lines.get(kind) ?? [])),
    causesOf(line) {
      const own = causesAt(wishes.get(lifeKinds.get(line.seq) ?? '') ?? [], line.at)
      const next = line.action === 'release' ? lineOf.get(line.seq + 1) : undefined
      const isOfIt = next?.at === line.at && (next.key === line.key || next.name === line.name)
      return isOfIt ? [...own, ...causesAt(wishes.get(lifeKinds.get(next.seq) ?? '') ?? [], line.at)] : own
    },
  }
}

const causesAt = (wishes: readonly Wish[], at: number): readonly Cause[] =>
  wishes.flatMap(({ windows }) =>
    windows.flatMap(({ sentAt, endedAt, life }) =>
      life && sentAt <= at && at <= endedAt ? [{ sentAt, endedAt, life }] : [],
    ),
  )

type Candidate = { readonly line: Line; readonly half: boolean }

/** First the acknowledged ones, each with a line of its own; then the rest of the lines, each with a possible request. */
function matchKind(wishes: readonly Wish[], lines: readonly Candidate[]): readonly string[] {
  const left = [...lines.filter(({ half }) => !half), ...lines.filter(({ half }) => half)]
  const last = ({ windows }: Wish) => Math.max(...windows.map(({ endedAt }) => endedAt))
  const byEnd = (a: Wish, b: Wish) => last(a) - last(b)
  const lost = wishes
    .filter((wish) => wish.isDone)
    .sort(byEnd)
    .flatMap((wish) => {
      const found = left.findIndex(({ line }) => covers(wish, line.at))
      if (found >= 0) left.splice(found, 1)
      return found >= 0 ? [] : [`lost: ${wish.text}`]
    })
  const maybe = wishes.filter((wish) => !wish.isDone && wish.windows.length > 0).sort(byEnd)
  const strays = left.flatMap(({ line, half }) => {
    const found = maybe.findIndex((wish) => covers(wish, line.at))
    if (found >= 0) maybe.splice(found, 1)
    return found >= 0 || half
      ? []
      : [`line ${line.seq}, ${line.action} ${line.name} by ${line.key}: no request asked for it, or it was done twice`]
  })
  return [...lost, ...strays]
}
