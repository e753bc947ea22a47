// Installs files of services: all of them or none, and never over a change by hand.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { diffArrays } from 'diff'
import { hasCode, messageOf } from '../../lib/errors.js'
import { applyPlan } from '../apply.js'
import { applyFailed, changedByHand } from '../errors.js'
import { directory, PUBLIC_DIR, PUBLIC_FILE, replace } from '../steps.js'
import { type Standing, standingOf } from './stamp.js'
import type { ServiceFile } from './unit-files.js'

// What differs between two texts, line by line, for people.
const CONTEXT = 2

/** Lines that go with `-`, lines that come with `+`, and two lines around them. Empty when nothing differs. */
export function lineDiff(before: string, after: string): string {
  const lines = diffArrays(linesOf(before), linesOf(after)).flatMap(({ value, added, removed }) => {
    const sign = added ? '+' : removed ? '-' : ' '
    return value.map((line) => `${sign}${line}`)
  })
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(isChange))
  return lines
    .flatMap((line, at) => {
      if (isNear[at]) return [line]
      return at > 0 && isNear[at - 1] ? ['…'] : []
    })
    .join('\n')
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

const isChange = (line: string): boolean => !line.startsWith(' ')

export interface InstallRequest {
  readonly files: readonly ServiceFile[]
  readonly dryRun: boolean
  /** Also over what was changed by hand. */
  readonly force: boolean
  /** Talk. */
  readonly say: (text: string) => void
}

/** What became of one file, or with `dryRun` would. */
export interface InstalledFile {
  readonly path: string
  readonly outcome: 'created' | 'unchanged' | 'updated' | 'overwritten'
}

const OUTCOMES: Readonly<Record<Standing, InstalledFile['outcome']>> = {
  new: 'created',
  same: 'unchanged',
  older: 'updated',
  changed: 'overwritten',
}

/** Shows what changes in files that are there. Throws CHANGED_BY_HAND, and SETUP_FAILED with everything as it was. */
export async function installFiles({ files, dryRun, force, say }: InstallRequest): Promise<readonly InstalledFile[]> {
  const found = files.map((file) => ({ file, present: readIfThere(file.path) }))
  const standing = found.map(({ file, present }) => ({ file, present, standing: standingOf(present, file.text) }))
  for (const { file, present = '', standing: how } of standing)
    if (how === 'changed' || how === 'older') say(`${file.path}:\n${lineDiff(present, file.text)}`)
  const foreign = standing.filter(({ standing: how }) => how === 'changed').map(({ file }) => file.path)
  if (foreign.length > 0 && !force && !dryRun) throw changedByHand(foreign)
  const fresh = standing.filter(({ standing: how }) => how !== 'same').map(({ file }) => file)
  if (!dryRun) await applyPlan({ steps: stepsFor(fresh), untouched: [], needs: [], settings: new Map() })
  return standing.map(({ file, standing: how }) => ({ path: file.path, outcome: OUTCOMES[how] }))
}

const stepsFor = (files: readonly ServiceFile[]) =>
  files.flatMap(({ path, about, text }) => [
    directory(dirname(path), PUBLIC_DIR),
    replace(path, PUBLIC_FILE, about, text),
  ])

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw applyFailed(path, messageOf(error), [])
  }
}
