// Each change of the table as an action: with a reason, and a second step that shows the facts of the name.
import { type ActionRequest, badField, type Confirmation, type ConsoleAction, reasonOf } from '../../console/index.js'
import { formatNpub } from '../../nostr/nip19/index.js'
import type { NameAccess } from './access.js'
import { namePath } from './address.js'
import { CHANGES, type ChangeRow } from './changes.js'
import { nameNotSo } from './errors.js'
import { NAME_STATES, reservedWords } from './labels.js'
import { changesOf, type StatusWithOffers, statusWithOffers } from './name.js'

export const changeActions = (names: NameAccess): readonly ConsoleAction[] => CHANGES.map((row) => actionOf(names, row))

function actionOf(names: NameAccess, row: ChangeRow): ConsoleAction {
  const { change, path, fields, audited = [], perform, done, same } = row
  return {
    path,
    id: `name.${change}`,
    least: 'operator',
    fields,
    audited,
    object: nameOf,
    async confirm(request) {
      const reason = reasonFor(request)
      return confirmationOf(row, await statusFor(names, change, request), { ...request.form, reason })
    },
    async perform(request) {
      const order = { name: nameOf(request), reason: reasonFor(request) }
      const { name, changed } = await names.edit((admin) => perform(admin, order, request.form))
      return {
        to: namePath(name),
        flash: changed ? { tone: 'good', text: `${name} ${done}` } : { tone: 'warn', text: `${name} ${same}` },
      }
    },
  }
}

/** A field where the form has one, else part of the path. */
const nameOf = ({ form, params }: ActionRequest): string => form.name ?? params.name ?? ''

/** Throws CONSOLE_FIELD. */
const reasonFor = ({ form }: ActionRequest): string =>
  reasonOf(form, () => badField('say why: the reason stays in the history of the name'))

/** The name as it stands, where this change makes sense. Throws CONSOLE_NAME_STATE. */
async function statusFor(
  names: NameAccess,
  change: ChangeRow['change'],
  request: ActionRequest,
): Promise<StatusWithOffers> {
  const status = await names.read(({ rows }) => statusWithOffers(rows, nameOf(request)))
  const { holder } = request.form
  if (!changesOf(status)[change]) throw nameNotSo(status.name, status.why ?? NAME_STATES[status.state].text)
  if (holder !== undefined && holder !== status.record?.pubkey) throw nameNotSo(status.name, 'held by another key')
  return status
}

function confirmationOf(row: ChangeRow, status: StatusWithOffers, form: ActionRequest['form']): Confirmation {
  const { question, consequence, verb, facts } = row
  const { name, record, reserved, offers } = status
  const live = offers.filter(({ status }) => status === 'live').length
  return {
    question: question(name),
    facts: [
      ['Name', name],
      ['Now', NAME_STATES[status.state].text],
      ...(record?.releasedAt === null ? [['Held by', formatNpub(record.pubkey)] as const] : []),
      ...(reserved ? [['Reserved by', reservedWords(name, reserved)] as const] : []),
      ...(live > 0 ? [['Open offers', String(live)] as const] : []),
      ...(facts?.(form) ?? []),
      ['Reason', form.reason ?? ''],
    ],
    consequence,
    verb,
    back: namePath(name),
  }
}
