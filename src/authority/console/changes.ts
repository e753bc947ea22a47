// What operators do to names, one row a change: where its form is sent, what is asked before, and what is said after. The authority
// decides; here it is asked.
import { type ActionRequest, type Confirmation, type ConsoleAction, type Field, REASON } from '../../console/index.js'
import type { NameAdmin } from '../admin/index.js'
import type { changesOf } from './name.js'

export interface ChangeRow extends Pick<ConsoleAction, 'path' | 'fields' | 'audited'> {
  readonly change: keyof ReturnType<typeof changesOf>
  readonly question: (name: string) => string
  readonly consequence: string
  readonly verb: string
  /** Facts of the form itself, for the second step. */
  readonly facts?: (form: ActionRequest['form']) => Confirmation['facts']
  readonly perform: (
    admin: NameAdmin,
    order: { readonly name: string; readonly reason: string },
    form: ActionRequest['form'],
  ) => Promise<{ readonly name: string; readonly changed: boolean }>
  /** After the name: "is suspended." */
  readonly done: string
  /** Where it was so already. */
  readonly same: string
}

const NAME: Field = { max: 64 }

/** The name is part of the path, or a field. */
export const CHANGES: readonly ChangeRow[] = [
  {
    change: 'reserve',
    path: '/reserved/add',
    fields: { name: NAME, reason: REASON },
    audited: ['reason'],
    question: (name) => `Reserve ${name}?`,
    consequence:
      'From now on no key can claim it or a look-alike. A key that holds it keeps it. You can end it at any time.',
    verb: 'Reserve the name',
    perform: (admin, { name, reason }) => admin.reserve(name, reason),
    done: 'is reserved.',
    same: 'was reserved already.',
  },
  {
    change: 'unreserve',
    path: '/names/:name/unreserve',
    fields: { reason: REASON },
    audited: ['reason'],
    question: (name) => `Stop reserving ${name}?`,
    consequence: 'From now on any key can claim it, unless the settings reserve it too.',
    verb: 'Stop reserving it',
    perform: (admin, { name, reason }) => admin.unreserve(name, reason),
    done: 'is no longer reserved.',
    same: 'was not reserved.',
  },
  {
    change: 'suspend',
    path: '/names/:name/suspend',
    fields: { reason: REASON },
    audited: ['reason'],
    question: (name) => `Suspend ${name}?`,
    consequence:
      'It stops resolving at once. Its holder keeps it, but cannot release, sell or change it. Lifting undoes this.',
    verb: 'Suspend the name',
    perform: (admin, { name, reason }) => admin.suspend(name, { reason, suspended: true }),
    done: 'is suspended.',
    same: 'was suspended already.',
  },
  {
    change: 'lift',
    path: '/names/:name/lift',
    fields: { reason: REASON },
    audited: ['reason'],
    question: (name) => `Lift the suspension of ${name}?`,
    consequence: 'It resolves again at once, for the same holder.',
    verb: 'Lift the suspension',
    perform: (admin, { name, reason }) => admin.suspend(name, { reason, suspended: false }),
    done: 'is active again.',
    same: 'was not suspended.',
  },
  {
    change: 'evict',
    path: '/names/:name/evict',
    // `holder`: the key that the page showed; it is evicted and no other.
    fields: { reason: REASON, holder: { max: 64, pattern: /^[0-9a-f]{64}$/ }, reserve: { max: 2, pattern: /^on$/ } },
    audited: ['reason', 'holder', 'reserve'],
    question: (name) => `Evict the holder of ${name}?`,
    consequence:
      'The holder loses the name at once, and its open offers end. Unless it is reserved, any key can claim it, also the same one. This cannot be undone.',
    verb: 'Evict the holder',
    facts: ({ reserve }) => [['Then reserve it', reserve === 'on' ? 'yes' : 'no']],
    perform: (admin, { name, reason }, { holder = '', reserve }) =>
      admin.evict(name, { reason, holder, reserve: reserve === 'on' }),
    done: 'was taken from its holder.',
    same: 'has no holder.',
  },
]
