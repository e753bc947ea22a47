import { Flags } from '@oclif/core'
import { confirm, examplesOf, RelayCommand, yesFlag } from '../../cli/index.js'
import type { JoinView } from '../../daemons/relay-join.js'

export default class RelayJoin extends RelayCommand {
  static override summary = 'make the database of a further front end from a copy of another one'
  static override description =
    'For several relays on one log (RELAY_LOG_URL). The copy comes from "grinpay relay backup" or a restored backup of a front end, with its relay-lists.json beside it, copied after it. It is checked first: it must belong to this log, and the log must still have what came since. A log that is still empty begins with the copy. With --replace an existing relay.db is lost: stop the relay first.'
  static override examples = examplesOf('--from copy/relay.db', '--from copy/relay.db --replace --yes --json')
  static override flags = {
    from: Flags.string({ required: true, description: 'a copy of relay.db', helpValue: 'FILE' }),
    lists: Flags.string({ description: 'its lists, when they are not beside it', helpValue: 'FILE' }),
    'no-lists': Flags.boolean({ description: 'the other front ends have no lists', exclusive: ['lists'] }),
    replace: Flags.boolean({ description: 'overwrite the existing relay.db', default: false }),
    ...yesFlag,
  }

  async run(): Promise<JoinView> {
    const { flags } = await this.parse(RelayJoin)
    const { from, replace } = flags
    const config = await this.relayConfig(flags)
    const { joinLog } = await import('../../daemons/relay-join.js')
    const done = await this.waiting('copying and checking', () =>
      joinLog(config, {
        from,
        lists: flags['no-lists'] ? null : flags.lists,
        replaces: replace,
        agree: (path) => confirm(`Replacing ${path}`, 'replace', flags),
      }),
    )
    this.log(
      done.outcome === 'begins'
        ? `${done.database}: the log begins with it; next: start the relay`
        : `${done.database}: ${done.behind} entries behind the log; next: start the relay`,
    )
    return done
  }
}
