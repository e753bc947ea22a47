import { Args, Flags } from '@oclif/core'
import { answerFlags, examplesOf, openSettings, RelayCommand, usage } from '../../cli/index.js'
import type { SyncAnswer, SyncProgress, SyncTransfer } from '../../daemons/relay-sync.js'
import { objectOf, parseJson } from '../../lib/parse-json.js'
import { parseUrl } from '../../lib/url.js'

export default class RelaySync extends RelayCommand {
  static override summary = 'synchronise the relay with another one (NIP-77)'
  static override description =
    'Compares fingerprints and transfers only missing events. The local relay takes part over its own address, so its write policy applies; if it does not run, the command starts it. A second run continues an interrupted one. A set that a relay refuses as too large is compared in spans of time. Exit 6 when every event was refused.'
  static override examples = examplesOf(
    'wss://relay.example',
    `wss://relay.example --dir down --filter '{"kinds":[0,10002,10050]}'`,
  )
  static override args = { url: Args.string({ required: true, description: 'the other relay, ws:// or wss://' }) }
  static override flags = {
    filter: Flags.string({
      description: 'only events that this NIP-01 filter matches',
      helpValue: 'JSON',
      default: '{}',
    }),
    dir: Flags.option({
      description: 'down: to this relay; up: to the other one',
      options: ['both', 'down', 'up'] as const,
      default: 'both' as const,
    })(),
    'key-file': Flags.string({
      description: 'file with an nsec for relays that ask for authentication, - for stdin (or RELAY_SYNC_KEY_FILE)',
      helpValue: 'FILE',
    }),
    ...answerFlags,
  }

  async run(): Promise<SyncAnswer> {
    const { args, flags } = await this.parse(RelaySync)
    const { filterOf } = await import('../../daemons/relay-filter.js')
    filterOf({ filter: flags.filter })
    const filter = objectOf(parseJson(flags.filter))
    const url = relayAddress(args.url)
    const { loadRelaySettings, openDaemonLog, relaySyncKey } = await openSettings()
    const { config } = loadRelaySettings(flags)
    const key = relaySyncKey(flags['key-file'])
    const log = await openDaemonLog('error')
    const { syncWith } = await import('../../daemons/relay-sync.js')
    const { version } = this.config
    const request = { version, log, url, filter, direction: flags.dir, key, timeoutMs: flags.timeout * 1000 }
    const answer = await this.waiting(`asking ${url}`, (tell) =>
      syncWith(config, { ...request, onProgress: (progress) => tell(textOf(progress)) }),
    )
    this.log(`only here ${answer.only_here}, only there ${answer.only_there} (${answer.messages} messages)`)
    for (const line of [...lines('down', answer.down), ...lines('up', answer.up)]) this.log(line)
    return isAllRefused(answer) ? this.endNegative(answer) : answer
  }
}

function relayAddress(text: string): string {
  if (!/^wss?:\/\/[^\s/]+/.test(text) || parseUrl(text) === undefined)
    throw usage(`not the address of a relay: ${text}`)
  return text
}

/** Events were offered, and neither relay took one. */
function isAllRefused({ down, up }: SyncAnswer): boolean {
  const [offered, stored] = [(down?.read ?? 0) + (up?.read ?? 0), (down?.stored ?? 0) + (up?.stored ?? 0)]
  return offered > 0 && stored === 0
}

const textOf = ({ step, done, of }: SyncProgress): string => `${step} ${done}${of === undefined ? '' : ` of ${of}`}`

function lines(name: string, transfer: SyncTransfer | null): string[] {
  if (!transfer) return []
  const refused = Object.entries(transfer.refused).map(([reason, count]) => `  refused ${count}: ${reason}`)
  return [`${name} ${transfer.stored} of ${transfer.missing}`, ...refused]
}
