import { Args, Flags } from '@oclif/core'
import {
  exactlyOne,
  examplesOf,
  RelayCommand,
  reasonOf,
  relayListFlags,
  relayListTable,
  usage,
} from '../../cli/index.js'

/** What each word is put on, or taken off. */
const ORDERS = {
  key: { do: 'add', list: 'allowedKeys' },
  admin: { do: 'add', list: 'admins' },
  kind: { do: 'add', list: 'allowedKinds' },
  address: { do: 'remove', list: 'blockedAddresses' },
  event: { do: 'remove', list: 'bannedEvents' },
} as const

export default class RelayAllow extends RelayCommand {
  static override summary = 'allow a key, kind, address or event, or make a key an administrator'
  static override description =
    'An allowed key may write where only listed keys may, public notes included; other keys stay as they are. Lifts a ban. A running relay follows within seconds. relay-audit.jsonl beside the database records every change.'
  static override examples = examplesOf(
    'npub1… --reason "editor of the newsletter"',
    '--kind 4 --reason "old clients"',
    'npub1… --admin --reason "moderator"',
    '--list --json',
  )
  static override args = { key: Args.string({ description: 'a key, as npub or 64 hex' }) }
  static override flags = {
    ...relayListFlags,
    admin: Flags.boolean({ description: 'let the key manage the relay over HTTP (NIP-86)' }),
  }

  async run() {
    const { args, flags } = await this.parse(RelayAllow)
    const dbPath = await this.relayDatabase(flags)
    const { changeRelayLists, showRelayLists } = await import('../../daemons/relay-lists.js')
    if (flags.list) {
      const items = await showRelayLists(dbPath, ['allowedKeys', 'allowedKinds', 'admins'])
      this.logTable(items, relayListTable)
      return { items, next: null }
    }
    const { name, text } = wanted(args.key, flags)
    const order = ORDERS[name]
    if (flags.remove && order.do === 'remove') throw usage(`to refuse it: grinpay relay ban --${name} ${text}`)
    const reason = reasonOf(flags.reason)
    const done = await changeRelayLists(dbPath, {
      ...order,
      ...{ entry: text, reason },
      ...(flags.remove && { do: 'remove' }),
    })
    const state = done.list === 'admins' ? 'manager' : order.do === 'remove' ? 'banned' : 'allowed'
    const message = `${name} ${done.entry} is ${done.listed ? '' : 'not '}${state}${done.changed ? ' now' : ', as before'}`
    this.log(flags.quiet ? done.entry : message)
    return done
  }
}

interface Wanted {
  readonly admin: boolean
  readonly kind?: string | undefined
  readonly address?: string | undefined
  readonly event?: string | undefined
}

/** The one thing that is let in. Throws USAGE. */
function wanted(key: string | undefined, { admin, kind, address, event }: Wanted) {
  if (admin && key === undefined) throw usage('name the key that may manage the relay')
  const keys = admin ? { key: undefined, admin: key } : { key, admin: undefined }
  return exactlyOne<keyof typeof ORDERS>({ ...keys, kind, address, event })
}
