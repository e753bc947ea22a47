// Starting an export or an import, and stopping it. An import has a second step: what it stores stays.
import { badField, type ConsoleAction } from '../../../console/index.js'
import { size } from '../words.js'
import type { ExportOrder, Moves } from './moves.js'

export const LONGEST_NAME = 255
export const LONGEST_KINDS = 200
const PAGE = '/relay/moves'
const DAY_SECONDS = 86_400
const [MOST_KIND, MOST_KINDS] = [65_535, 50]
const DAY = /^\d{4}-\d{2}-\d{2}$/

export const exportAction = (moves: Moves): ConsoleAction => ({
  path: `${PAGE}/export`,
  id: 'relay.export',
  least: 'operator',
  fields: { kinds: { max: LONGEST_KINDS }, since: { max: 10 }, until: { max: 10 } },
  audited: ['kinds', 'since', 'until'],
  object: () => 'events',
  async perform({ form, person }) {
    const { file, state } = await moves.startExport(orderOf(form), person.name)
    const text = state === 'done' ? `The export ${file} is finished.` : `The export to ${file} has begun.`
    return { to: PAGE, flash: { tone: 'good', text } }
  },
})

export const importAction = (moves: Moves): ConsoleAction => ({
  path: `${PAGE}/import`,
  id: 'relay.import',
  least: 'operator',
  fields: { file: { max: LONGEST_NAME } },
  object: ({ form }) => form.file ?? '',
  async confirm({ form }) {
    const { name, bytes, modifiedAt } = await moves.file(chosen(form))
    return {
      question: 'Import this file?',
      facts: [
        ['File', name],
        ['Size', size(bytes)],
        ['Changed', `${new Date(modifiedAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`],
      ],
      consequence:
        'The relay takes the events as those of a client, and refuses what its policy refuses. What it stores stays, also when you stop the import. Events that it has already are skipped.',
      verb: 'Import the file',
      back: PAGE,
    }
  },
  async perform({ form, person }) {
    const { file, state } = await moves.startImport(chosen(form), person.name)
    const text = state === 'done' ? `The import of ${file} is finished.` : `The import of ${file} has begun.`
    return { to: PAGE, flash: { tone: 'good', text } }
  },
})

export const stopAction = (moves: Moves): ConsoleAction => ({
  path: `${PAGE}/stop`,
  id: 'relay.move.stop',
  least: 'operator',
  fields: { id: { max: 20, pattern: /^\d+$/ } },
  object: ({ form }) => moves.moves().find(({ id }) => id === form.id)?.file ?? `job ${form.id}`,
  async perform({ form }) {
    const { kind, file } = moves.stop(form.id ?? '')
    const text =
      kind === 'export'
        ? `The export to ${file} stops, and its unfinished file is removed.`
        : `The import of ${file} stops. What is stored stays.`
    return { to: PAGE, flash: { tone: 'good', text } }
  },
})

/** Throws CONSOLE_FIELD. */
function chosen({ file = '' }: Readonly<Record<string, string>>): string {
  if (file === '') throw badField('choose a file')
  return file
}

/** Throws CONSOLE_FIELD. */
function orderOf({ kinds = '', since = '', until = '' }: Readonly<Record<string, string>>): ExportOrder {
  const order = { kinds: kindsOf(kinds), since: secondOf('since', since), until: endOf(secondOf('until', until)) }
  if (order.since !== undefined && order.until !== undefined && order.since > order.until)
    throw badField(`the first day, ${since}, lies after the last day, ${until}`)
  return order
}

const endOf = (second: number | undefined): number | undefined =>
  second === undefined ? undefined : second + DAY_SECONDS - 1

function kindsOf(text: string): readonly number[] | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 0) return undefined
  if (words.length > MOST_KINDS) throw badField(`at most ${MOST_KINDS} kinds, not ${words.length}`)
  return [...new Set(words.map(kindOf))]
}

function kindOf(word: string): number {
  const kind = /^\d{1,5}$/.test(word) ? Number(word) : Number.NaN
  if (kind <= MOST_KIND) return kind
  throw badField(
    `"${word.slice(0, 20)}" is not a kind: kinds are numbers from 0 to ${MOST_KIND}, such as: 0, 10002, 10050`,
  )
}

/** The beginning of a day in UTC. */
function secondOf(field: string, day: string): number | undefined {
  if (day === '') return undefined
  const ms = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(ms) || ms < 0 || new Date(ms).toISOString().slice(0, 10) !== day)
    throw badField(`"${day}" is not a day such as 2026-11-23 (${field})`)
  return ms / 1000
}
