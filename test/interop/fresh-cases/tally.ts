// What the comparisons of a run showed.
import { KNOWN, type Known } from './known.js'
import type { Outcome } from './reference.js'

interface Difference {
  readonly family: string
  /** Number of the case within its family. */
  readonly number: number
  readonly what: string
  readonly ours: string
  readonly theirs: string
}

interface FamilyTally {
  cases: number
  comparisons: number
  differences: number
  /** Questions that both sides answered alike: yes, and no. */
  accepted: number
  refused: number
  milliseconds: number
}

export type Tally = ReturnType<typeof createTally>

/** Of one family. */
const MOST_KEPT = 5
const shown = (value: unknown): string => JSON.stringify(value) ?? 'undefined'

export function createTally() {
  const families = new Map<string, FamilyTally>()
  const known = new Map<string, number>()
  const differences: Difference[] = []

  function familyOf(name: string): FamilyTally {
    const tally = families.get(name) ?? {
      cases: 0,
      comparisons: 0,
      differences: 0,
      accepted: 0,
      refused: 0,
      milliseconds: 0,
    }
    families.set(name, tally)
    return tally
  }

  /** The comparisons of one case. */
  function judge(family: string, number: number) {
    const tally = familyOf(family)
    tally.cases += 1

    function differ(what: string, ours: unknown, theirs: unknown): void {
      tally.differences += 1
      if (tally.differences <= MOST_KEPT)
        differences.push({ family, number, what, ours: shown(ours), theirs: shown(theirs) })
    }

    /** Both must be the same JSON. */
    function same(what: string, ours: unknown, theirs: unknown): void {
      tally.comparisons += 1
      if (shown(ours) !== shown(theirs)) differ(what, ours, theirs)
    }

    /** Both accept and find the same, or both refuse, or the difference is a decided one. */
    function agree(what: string, ours: Outcome, theirs: Outcome): void {
      const isDecided = (one: Known) =>
        one.families.includes(family) && one.of?.test(what) !== false && fits(one, ours, theirs)
      tally.comparisons += 1
      const isAccepted = 'ok' in ours && 'ok' in theirs && shown(ours.ok) === shown(theirs.ok)
      const isRefused = 'refused' in ours && 'refused' in theirs
      tally.accepted += isAccepted ? 1 : 0
      tally.refused += isRefused ? 1 : 0
      if (isAccepted || isRefused) return
      const decided = KNOWN.find(isDecided)
      if (decided) known.set(decided.id, (known.get(decided.id) ?? 0) + 1)
      else differ(what, ours, theirs)
    }

    return { same, agree }
  }

  function spend(family: string, milliseconds: number): void {
    familyOf(family).milliseconds += milliseconds
  }

  return { judge, spend, families, known, differences }
}

function fits(known: Known, ours: Outcome, theirs: Outcome): boolean {
  const [we, they] = [textOf(ours), textOf(theirs)]
  const isKind = {
    us: 'refused' in ours && 'ok' in theirs,
    grin: 'ok' in ours && !('ok' in theirs),
    panic: 'refused' in ours && 'panicked' in theirs,
    nobody: 'ok' in ours && 'ok' in theirs,
  }[known.refusedBy]
  const isTheirReason = known.refusedBy === 'grin' || known.refusedBy === 'panic'
  return isKind && known.reason.test(isTheirReason ? they : we) && known.theirs?.test(they) !== false
}

const textOf = (outcome: Outcome): string =>
  'ok' in outcome ? shown(outcome.ok) : 'refused' in outcome ? outcome.refused : outcome.panicked
