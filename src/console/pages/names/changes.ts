// What operators do to names: each with a reason, and a second step that shows the facts. The authority decides; here it is asked.
import { plainText } from '../../../lib/plain-text.js'
import type { ActionRequest, Confirmation, ConsoleAction, Field } from '../../area.js'
import { badField } from '../../errors.js'
import { namePath } from './address.js'
import type { NameDesk, NameOrder, NameStatus, OrderOutcome } from './desk.js'
import { nameNotSo } from './errors.js'
import { NAME_STATES, reservedWords } from './labels.js'
import { changesOf } from './name.js'

const REASON: Field = { max: 200 }
const NAME: Field = { max: 64 }

type Change = keyof ReturnType<typeof changesOf>

/** What one change asks and says. */
interface Wording {
  readonly question: (name: string) => string
  readonly consequence: string
  readonly verb: string
  /** After the name: "is suspended." */
  readonly done: string
  /** Where it was so already. */
  readonly same: string
}

const WORDS: Readonly<Record<Change, Wording>> = {
  reserve: {
    question: (name) => `Reserve ${name}?`,
    consequence:
      'From now on no key can claim it or a look-alike. A key that holds it keeps it. You can end it at any time.',
    verb: 'Reserve the name',
    done: 'is reserved.',
    same: 'was reserved already.',
  },
  unreserve: {
    question: (name) => `Stop reserving ${name}?`,
    consequence: 'From now on any key can claim it, unless the settings reserve it too.',
    verb: 'Stop reserving it',
    done: 'is no longer reserved.',
    same: 'was not reserved.',
  },
  suspend: {
    question: (name) => `Suspend ${name}?`,
    consequence:
      'It stops resolving at once. Its holder keeps it, but cannot release, sell or change it. Lifting undoes this.',
    verb: 'Suspend the name',
    done: 'is suspended.',
    same: 'was suspended already.',
  },
  lift: {
    question: (name) => `Lift the suspension of ${name}?`,
    consequence: 'It resolves again at once, for the same holder.',
    verb: 'Lift the suspension',
    done: 'is active again.',
    same: 'was not suspended.',
  },
  evict: {
    question: (name) => `Evict the holder of ${name}?`,
    consequence:
      'The holder loses the name at once, and its open offers end. Unless it is reserved, any key can claim it, also the same one. This cannot be undone.',
    verb: 'Evict the holder',
    done: 'was taken from its holder.',
    same: 'has no holder.',
  },
}

/** As the command line takes reasons: one line that is what it looks like. Throws CONSOLE_FIELD. */
function reasonOf({ reason = '' }: ActionRequest['form']): string {
  if (reason === '') throw badField('say why: the reason stays in the history of the name')
  if (plainText(reason) !== reason) throw badField('the reason must be one line without hidden characters')
  return reason
}

/** The name as it stands, where this change makes sense. Throws CONSOLE_NAME_STATE. */
async function statusFor(
  desk: NameDesk,
  change: Change,
  name: string,
  holder: string | undefined,
): Promise<NameStatus> {
  const status = await desk.name(name)
  if (!changesOf(status)[change]) throw nameNotSo(status.name, status.why ?? NAME_STATES[status.state].text)
  if (holder !== undefined && holder !== status.record?.holder.hex) throw nameNotSo(status.name, 'held by another key')
  return status
}

function confirmationOf(change: Change, status: NameStatus, form: ActionRequest['form']): Confirmation {
  const { question, consequence, verb } = WORDS[change]
  const { name, record, reserved, offers } = status
  const live = offers.filter(({ state }) => state === 'live').length
  return {
    question: question(name),
    facts: [
      ['Name', name],
      ['Now', NAME_STATES[status.state].text],
      ...(record && record.state !== 'released' ? [['Held by', record.holder.npub] as const] : []),
      ...(reserved ? [['Reserved by', reservedWords(name, reserved)] as const] : []),
      ...(live > 0 ? [['Open offers', String(live)] as const] : []),
      ...(change === 'evict' ? [['Then reserve it', form.reserve === 'on' ? 'yes' : 'no'] as const] : []),
      ['Reason', reasonOf(form)],
    ],
    consequence,
    verb,
    back: namePath(name),
  }
}

interface Performing {
  readonly change: Change
  readonly perform: (order: NameOrder, form: ActionRequest['form']) => Promise<OrderOutcome>
}

/** The parts that all five share; `nameOf` says where the name stands in the request. */
const actionOf = (
  desk: NameDesk,
  { change, perform }: Performing,
  nameOf: (request: ActionRequest) => string,
): Pick<ConsoleAction, 'least' | 'object' | 'confirm' | 'perform'> => ({
  least: 'operator',
  object: nameOf,
  async confirm(request) {
    const { form } = request
    reasonOf(form)
    return confirmationOf(change, await statusFor(desk, change, nameOf(request), form.holder), form)
  },
  async perform(request) {
    const { name, changed } = await perform({ name: nameOf(request), reason: reasonOf(request.form) }, request.form)
    const { done, same } = WORDS[change]
    return {
      to: namePath(name),
      flash: changed ? { tone: 'good', text: `${name} ${done}` } : { tone: 'warn', text: `${name} ${same}` },
    }
  },
})

const fromPath = ({ params }: ActionRequest): string => params.name ?? ''
const fromForm = ({ form }: ActionRequest): string => form.name ?? ''

export const reserveAction = (desk: NameDesk): ConsoleAction => ({
  path: '/reserved/add',
  id: 'name.reserve',
  fields: { name: NAME, reason: REASON },
  audited: ['reason'],
  ...actionOf(desk, { change: 'reserve', perform: (order) => desk.reserve(order) }, fromForm),
})

export const unreserveAction = (desk: NameDesk): ConsoleAction => ({
  path: '/names/:name/unreserve',
  id: 'name.unreserve',
  fields: { reason: REASON },
  audited: ['reason'],
  ...actionOf(desk, { change: 'unreserve', perform: (order) => desk.unreserve(order) }, fromPath),
})

export const suspendAction = (desk: NameDesk): ConsoleAction => ({
  path: '/names/:name/suspend',
  id: 'name.suspend',
  fields: { reason: REASON },
  audited: ['reason'],
  ...actionOf(desk, { change: 'suspend', perform: (order) => desk.suspend(order, true) }, fromPath),
})

export const liftAction = (desk: NameDesk): ConsoleAction => ({
  path: '/names/:name/lift',
  id: 'name.lift',
  fields: { reason: REASON },
  audited: ['reason'],
  ...actionOf(desk, { change: 'lift', perform: (order) => desk.suspend(order, false) }, fromPath),
})

/** `holder`: the key that the page showed; it is evicted and no other. */
export const evictAction = (desk: NameDesk): ConsoleAction => ({
  path: '/names/:name/evict',
  id: 'name.evict',
  fields: { reason: REASON, holder: { max: 64, pattern: /^[0-9a-f]{64}$/ }, reserve: { max: 2, pattern: /^on$/ } },
  audited: ['reason', 'holder', 'reserve'],
  ...actionOf(
    desk,
    {
      change: 'evict',
      perform: (order, { holder = '', reserve }) => desk.evict(order, { holder, reserve: reserve === 'on' }),
    },
    fromPath,
  ),
})
