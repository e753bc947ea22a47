// One entry of a list, and how entries are added and removed: each with a reason and a second step.
import {
  type ActionRequest,
  type Confirmation,
  type ConsoleAction,
  type ConsolePage,
  LONGEST_REASON,
  REASON,
  reasonOf,
} from '../../console/index.js'
import type { ListName } from '../policy/index.js'
import { type ListSubject, subjectOf } from './entries.js'
import { noSuchEntry, reasonMissing } from './errors.js'
import { LIST_WORDS, listNamed } from './list-words.js'
import { LONGEST_ENTRY } from './lists.js'
import type { OpenRelay } from './view.js'

export const entryPage = (open: OpenRelay): ConsolePage => ({
  path: '/relay/lists/entry',
  title: 'Entry',
  least: 'viewer',
  async render({ query, view }) {
    const list = listNamed(query.list)
    if (!list) throw noSuchEntry()
    const { listed } = subjectOf(await (await open()).lists(), list, (query.entry ?? '').slice(0, LONGEST_ENTRY))
    if (!listed) throw noSuchEntry()
    const words = LIST_WORDS[list]
    return {
      title: `${words.title}: one ${words.noun}`,
      body: view('relay/entry', { list, words, listed, longestReason: LONGEST_REASON }),
    }
  },
})

const FIELDS = {
  list: { max: 20, pattern: /^[a-zA-Z]+$/ },
  entry: { max: LONGEST_ENTRY },
  reason: REASON,
} as const

type Operation = 'add' | 'remove'

const changeAction = (open: OpenRelay, operation: Operation): ConsoleAction => ({
  path: `/relay/lists/${operation}`,
  id: `relay.list.${operation}`,
  least: 'operator',
  fields: FIELDS,
  audited: ['list', 'reason'],
  object: ({ form }) => form.entry ?? '',
  async confirm(request) {
    const { list, subject, reason } = await wanted(open, operation, request)
    return confirmationOf({ operation, list, subject, reason })
  },
  async perform(request) {
    const { list, subject, reason } = await wanted(open, operation, request)
    const { entry } = subject
    const relay = await open()
    await relay.change({ do: operation, list, entry, reason }, `console: ${request.person.name}`)
    const { noun } = LIST_WORDS[list]
    return {
      to: `/relay/lists?list=${list}`,
      flash: { tone: 'good', text: `The ${noun} ${entry} ${LIST_WORDS[list][operation].state}.` },
    }
  },
})

export const addAction = (open: OpenRelay): ConsoleAction => changeAction(open, 'add')
export const removeAction = (open: OpenRelay): ConsoleAction => changeAction(open, 'remove')

interface Wanted {
  readonly list: ListName
  readonly subject: ListSubject
  readonly reason: string
}

/** Throws CONSOLE_RELAY_ENTRY, CONSOLE_RELAY_REASON, CONSOLE_FIELD, LIST_ENTRY_INVALID, NOSTR_CODE_INVALID. */
async function wanted(open: OpenRelay, operation: Operation, { form }: ActionRequest): Promise<Wanted> {
  const list = listNamed(form.list)
  if (!list) throw noSuchEntry()
  const subject = subjectOf(await (await open()).lists(), list, form.entry ?? '')
  if (operation === 'remove' && !subject.listed) throw noSuchEntry()
  return { list, subject, reason: reasonOf(form, reasonMissing) }
}

function confirmationOf({
  operation,
  list,
  subject,
  reason,
}: Wanted & { readonly operation: Operation }): Confirmation {
  const { title, label } = LIST_WORDS[list]
  const { verb, consequence } = LIST_WORDS[list][operation]
  const { entry, npub, listed, opposite, isOnOpposite } = subject
  return {
    question: `${verb}?`,
    facts: [
      [label, entry],
      ...(npub === null ? [] : [['As npub', npub] as const]),
      ['List', title],
      ['Now', listed ? listedText(listed) : 'not on the list'],
      ...(operation === 'add' && opposite && isOnOpposite
        ? [['Also', `it is taken off the list “${LIST_WORDS[opposite].title}”`] as const]
        : []),
      ['Reason', reason],
    ],
    consequence,
    verb,
    back:
      operation === 'add' || !listed
        ? `/relay/lists?list=${list}`
        : `/relay/lists/entry?${new URLSearchParams({ list, entry })}`,
  }
}

const listedText = ({ since, reason }: NonNullable<ListSubject['listed']>): string =>
  [
    since === null
      ? 'on the list'
      : `on the list since ${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    ...(reason === '' ? [] : [`“${reason.slice(0, LONGEST_REASON)}”`]),
  ].join(', ')
