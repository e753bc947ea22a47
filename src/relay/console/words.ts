// Numbers, sizes and names of the relay's pages.

/** "12,345" */
export const count = (value: number): string => value.toLocaleString('en')

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** "12.3 MB": powers of 1000, as disks are sold. */
export function size(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`
}

/** "0.4", "12", "1,204": per second. */
export const rate = (perSecond: number): string =>
  perSecond === 0 || perSecond >= 10 ? count(Math.round(perSecond)) : perSecond.toFixed(1)

/** "0 ms", "3.2 ms", "1.4 s" */
export function delay(seconds: number): string {
  if (seconds >= 1) return `${seconds.toFixed(1)} s`
  const ms = seconds * 1000
  return `${ms === 0 || ms >= 10 ? Math.round(ms) : ms.toFixed(1)} ms`
}

/** 14:00 of a time, UTC. */
export const clockTime = (ms: number): string => new Date(ms).toISOString().slice(11, 16)

/** What the field calls the kinds that relays of this size see. */
const KINDS: Readonly<Record<number, string>> = {
  0: 'profile',
  1: 'note',
  3: 'follow list',
  4: 'old direct message',
  5: 'deletion request',
  6: 'repost',
  7: 'reaction',
  13: 'seal',
  14: 'direct message',
  16: 'generic repost',
  17: 'payment receipt',
  1059: 'gift wrap',
  1111: 'comment',
  10000: 'mute list',
  10002: 'relay list',
  10050: 'inbox relays',
  22242: 'authentication',
  24133: 'remote signing',
  24140: 'wallet sessions',
  27235: 'HTTP authentication',
  30000: 'follow sets',
  30003: 'bookmark sets',
  30023: 'article',
  30078: 'application data',
  30402: 'listing',
  31990: 'application handler',
}

/** "1059 gift wrap"; -1: all that have no counter of their own. */
export const kindName = (kind: number): string => (kind < 0 ? 'other kinds' : `${kind} ${KINDS[kind] ?? ''}`.trim())
