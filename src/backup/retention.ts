// Which archives of a folder stay. Names carry daemon and time, so nothing is opened to know.
import { type DaemonName, isDaemonName } from '../lib/daemon-names.js'

export interface ArchiveName {
  readonly name: string
  readonly daemon: DaemonName
  /** Epoch milliseconds. */
  readonly at: number
}

const NAME = /^grinpay-([a-z]+)-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.tar(?:\.age)?$/

/** `grinpay-pay-20260131T020000Z.tar`, with `.age` when it is encrypted. */
export const archiveName = (daemon: DaemonName, at: number, isSealed: boolean): string =>
  `grinpay-${daemon}-${new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')}.tar${isSealed ? '.age' : ''}`

/** Undefined: not the name of an archive of ours. */
export function parseArchiveName(name: string): ArchiveName | undefined {
  const [, daemon, ...parts] = NAME.exec(name) ?? []
  if (!isDaemonName(daemon)) return undefined
  const [year = 0, month = 1, day, hour, minute, second] = parts.map(Number)
  const at = Date.UTC(year, month - 1, day, hour, minute, second)
  return [archiveName(daemon, at, false), archiveName(daemon, at, true)].includes(name)
    ? { name, daemon, at }
    : undefined
}

/** How many of the newest days, weeks … keep their last archive. */
export interface Retention {
  readonly last: number
  readonly daily: number
  readonly weekly: number
  readonly monthly: number
}

const DAY_MS = 86_400_000
/** The period of an archive by each rule: days, ISO weeks (which begin on Mondays) and months, in UTC. */
const PERIODS: readonly { readonly rule: keyof Retention; readonly of: (archive: ArchiveName) => string | number }[] = [
  { rule: 'last', of: ({ name }) => name },
  { rule: 'daily', of: ({ at }) => Math.floor(at / DAY_MS) },
  { rule: 'weekly', of: ({ at }) => Math.floor((at / DAY_MS + 3) / 7) },
  { rule: 'monthly', of: ({ at }) => new Date(at).toISOString().slice(0, 7) },
]

export interface Kept extends ArchiveName {
  /** The rules that keep it; none: it goes. */
  readonly because: readonly (keyof Retention | 'newest')[]
}

/** For each daemon by itself, newest first. The newest archive always stays. */
export function decideRetention(archives: readonly ArchiveName[], retention: Retention): readonly Kept[] {
  const daemons = [...new Set(archives.map(({ daemon }) => daemon))].sort()
  return daemons.flatMap((daemon) => {
    const own = archives.filter((archive) => archive.daemon === daemon).sort((a, b) => b.at - a.at)
    const keepers = PERIODS.map(({ rule, of }) => ({ rule, names: lastOfEach(own, of, retention[rule]) }))
    return own.map((archive, index) => ({
      ...archive,
      because: [
        ...(index === 0 ? ['newest' as const] : []),
        ...keepers.filter(({ names }) => names.has(archive.name)).map(({ rule }) => rule),
      ],
    }))
  })
}

/** The newest archive of each of the newest `count` periods that have one. */
function lastOfEach(
  newestFirst: readonly ArchiveName[],
  of: (archive: ArchiveName) => string | number,
  count: number,
): ReadonlySet<string> {
  const first = new Map<string | number, string>()
  for (const archive of newestFirst) if (!first.has(of(archive))) first.set(of(archive), archive.name)
  return new Set([...first.values()].slice(0, count))
}
