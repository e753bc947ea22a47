// What a run showed, in lines for people.
import { KNOWN } from './known.js'
import type { Tally } from './tally.js'

const MOST_CHARACTERS = 1500
const cut = (text: string, at = 0): string => `${at > 0 ? '…' : ''}${text.slice(at, at + MOST_CHARACTERS)}`

/** A little before the place where two texts part. */
function partingOf(ours: string, theirs: string): number {
  const at = [...ours].findIndex((letter, index) => letter !== theirs[index])
  return Math.max(0, (at < 0 ? ours.length : at) - 120)
}

const columns = (name: string, ...others: readonly (string | number)[]): string =>
  [name.padEnd(32), ...others.map((one) => `${one}`.padStart(12))].join('')

export function reportOf({ families, known, differences }: Tally, seed: string): string {
  const all = [...families]
  const sum = (name: 'cases' | 'comparisons' | 'differences') => all.reduce((total, [, one]) => total + one[name], 0)
  const rows = all.map(([name, { cases, comparisons, differences: differing, accepted, refused, milliseconds }]) =>
    columns(name, cases, comparisons, differing, accepted, refused, `${(milliseconds / 1000).toFixed(1)} s`),
  )
  const parted = differences.map(({ family, number, what, ours, theirs }) => {
    const at = partingOf(ours, theirs)
    return `DIFFERS: ${family}, case ${number}: ${cut(what)}\n  ours:   ${cut(ours, at)}\n  theirs: ${cut(theirs, at)}`
  })
  return [
    `seed ${seed}: ${sum('cases')} cases, ${sum('comparisons')} comparisons, ${sum('differences')} differ`,
    columns('family', 'cases', 'comparisons', 'differ', 'both accept', 'both refuse', 'time'),
    ...rows,
    'decided differences that were met:',
    ...KNOWN.map(({ id, why }) => `${`${known.get(id) ?? 0}`.padStart(8)}  ${id}: ${why}`),
    ...parted,
  ].join('\n')
}
