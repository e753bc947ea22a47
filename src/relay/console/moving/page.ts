// The page of exports and imports: progress of the one under way, forms for the next, the files, and the last results.
import { badField, type ConsolePage, clip, type Tag } from '../../../console/index.js'
import { count, rate, size } from '../words.js'
import { LONGEST_KINDS, LONGEST_NAME } from './actions.js'
import type { EventFile, Move, Moves } from './moves.js'

const REFRESH_SECONDS = 5
const REASONS = 8
const LINES = 5
const LONGEST_TEXT = 140
const LONGEST_SHOWN = 80
/** What browsers save under its own name. */
const PLAIN_NAME = /^\w[\w.-]{0,80}$/

export const movePage = (moves: Moves): ConsolePage => ({
  path: '/relay/moves',
  title: 'Move events',
  least: 'viewer',
  navigation: { label: 'Move events', order: 220 },
  scripts: ['live.js'],
  async render({ view, now }) {
    const { path, files, isCut } = await moves.folder()
    const jobs = moves.moves()
    const running = jobs.find(({ endedAt }) => endedAt === null)
    const body = view('relay/moves', {
      running: running ? progressOf(running, now) : null,
      past: jobs.filter(({ endedAt }) => endedAt !== null).map(resultOf),
      folder: path,
      files: files.map(rowOf),
      choices: files.filter(({ isWhole }) => isWhole).map(choiceOf),
      ...{ isCut, longestKinds: LONGEST_KINDS },
    })
    return { body, ...(running && { refreshSeconds: REFRESH_SECONDS, refreshTo: '/relay/moves' }) }
  },
})

export const downloadPage = (moves: Moves): ConsolePage => ({
  path: '/relay/moves/file',
  title: 'Download',
  least: 'operator',
  async render({ query }) {
    const name = (query.name ?? '').slice(0, LONGEST_NAME)
    if (!PLAIN_NAME.test(name))
      throw badField(`a file with the name "${name}" is not downloaded here: copy it with scp`)
    return { download: name, type: 'application/x-ndjson', content: await moves.read(name) }
  },
})

const choiceOf = ({ name, bytes }: EventFile) => ({ name, label: `${clip(name, LONGEST_SHOWN)} (${size(bytes)})` })

const rowOf = ({ name, bytes, modifiedAt, isWhole }: EventFile) => ({
  name: clip(name, LONGEST_SHOWN),
  ...{ modifiedAt, isWhole },
  size: size(bytes),
  href: isWhole && PLAIN_NAME.test(name) ? `/console/relay/moves/file?name=${name}` : null,
})

interface Figure {
  readonly label: string
  readonly value: string
  readonly unit?: string
  readonly note?: string
  readonly tone?: string
}

/** The part that is done, from 0 to 1; null: not known. */
export function shareOf({ kind, events, bytes, totalEvents, totalBytes }: Move): number | null {
  const [done, total] = kind === 'export' ? [events, totalEvents] : [bytes, totalBytes]
  return total === null || total === 0 ? null : Math.min(1, done / total)
}

function progressOf(move: Move, now: number) {
  const { id, kind, file, by, startedAt, state, result } = move
  const seconds = Math.max(0, (now - startedAt) / 1000)
  const share = shareOf(move)
  return {
    ...{ id, file, by, startedAt },
    title: kind === 'export' ? 'Export under way' : 'Import under way',
    isImport: kind === 'import',
    isStopping: state === 'stopping',
    percent: share === null ? null : Math.floor(share * 100),
    figures: [...amounts(move), ...pace(move, seconds, share), ...(result ? outcomes(result) : [])],
    reasons: reasonRows(move),
  }
}

function amounts({ kind, events, bytes, totalEvents, totalBytes }: Move): readonly Figure[] {
  const of = (total: string | null) =>
    total === null ? {} : { note: `of ${kind === 'export' ? 'about ' : ''}${total}` }
  return [
    {
      label: kind === 'export' ? 'Events written' : 'Lines answered',
      value: count(events),
      ...of(totalEvents === null ? null : count(totalEvents)),
    },
    {
      label: kind === 'export' ? 'Written' : 'Read',
      value: size(bytes),
      ...of(totalBytes === null ? null : size(totalBytes)),
    },
  ]
}

function pace({ events }: Move, seconds: number, share: number | null): readonly Figure[] {
  return [
    { label: 'Events per second', value: seconds < 1 ? '–' : rate(events / seconds) },
    {
      label: 'Time left',
      value: share === null || share === 0 || seconds < 1 ? '–' : duration((seconds * (1 - share)) / share),
      note: `running for ${duration(seconds)}`,
    },
  ]
}

const outcomes = ({ stored, known, outdated, refused }: NonNullable<Move['result']>): readonly Figure[] => [
  { label: 'Stored', value: count(stored) },
  { label: 'Known before', value: count(known) },
  { label: 'Outdated', value: count(outdated), note: 'replaced, deleted or expired' },
  { label: 'Refused', value: count(refused), tone: refused > 0 ? 'warn' : '' },
]

/** The most frequent first. */
const reasonRows = ({ result }: Move): readonly (readonly string[])[] =>
  Object.entries(result?.reasons ?? {})
    .sort(([, a], [, b]) => b - a)
    .slice(0, REASONS)
    .map(([reason, events]) => [clip(reason, LONGEST_TEXT), count(events)])

function resultOf(move: Move) {
  const { id, kind, file, by, startedAt, endedAt, state, problem, result } = move
  return {
    ...{ id, by, startedAt, problem },
    title: `${kind === 'export' ? 'Export to' : 'Import of'} ${clip(file, LONGEST_SHOWN)}`,
    label: `${kind} of ${new Date(startedAt).toISOString().slice(0, 19).replace('T', ' ')}`,
    tag: STATES[state],
    took: duration(Math.max(0, (endedAt ?? startedAt) - startedAt) / 1000),
    text: textOf(move),
    reasons: reasonRows(move),
    examples: (result?.examples ?? [])
      .slice(0, LINES)
      .map(({ line, reason }) => [count(line), clip(reason, LONGEST_TEXT)]),
  }
}

function textOf({ kind, state, events, bytes, result }: Move): string {
  if (kind === 'export')
    return state === 'done'
      ? `${count(events)} events, ${size(bytes)}.`
      : events === 0
        ? 'Nothing was written.'
        : `The unfinished file was removed after ${count(events)} events.`
  if (!result) return 'No event was sent to the relay.'
  const { stored, known, outdated, refused } = result
  return `${count(stored)} stored, ${count(known)} known before, ${count(outdated)} outdated, ${count(refused)} refused.${
    state === 'done' ? '' : ' What is stored stays; import the file again to go on.'
  }`
}

const STATES: Readonly<Record<Move['state'], Tag>> = {
  running: { text: 'running', tone: 'quiet' },
  stopping: { text: 'stopping', tone: 'quiet' },
  done: { text: 'finished', tone: 'good' },
  stopped: { text: 'stopped', tone: 'warn' },
  failed: { text: 'failed', tone: 'bad' },
}

/** "under 1 s", "12 s", "3 min", "2 h 5 min" */
export function duration(seconds: number): string {
  if (seconds < 1) return 'under 1 s'
  if (seconds < 120) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
