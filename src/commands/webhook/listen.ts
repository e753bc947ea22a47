import { Flags } from '@oclif/core'
import { BaseCommand, examplesOf, openListening, settingsFlag, stopSignal } from '../../cli/index.js'
import type { ReceivedEvent } from '../../client/index.js'

export default class WebhookListen extends BaseCommand {
  static override summary = 'receive webhooks on this machine, verify and print them'
  static override description = 'Prints one line per event; with --json its payload.'
  static override examples = examplesOf('--port 4242', '--port 4242 --count 1 --json')
  static override flags = {
    port: Flags.integer({
      description: 'port to listen on; 0: a free port',
      default: 4242,
      min: 0,
      max: 65535,
      helpValue: 'PORT',
    }),
    host: Flags.string({ description: 'address to listen on', default: '127.0.0.1', helpValue: 'HOST' }),
    'secret-file': Flags.string({ description: 'file with the webhook secret, - for stdin', helpValue: 'FILE' }),
    settings: settingsFlag('settings of the daemon, for the secret'),
    'print-secret': Flags.boolean({ description: 'print the secret in use and continue' }),
    json: Flags.boolean({ description: 'print the body of each event instead of a line about it' }),
    count: Flags.integer({ description: 'exit after this many events', min: 1, helpValue: 'N' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookListen)
    const { openReceiver, webhookSecret } = await openListening()
    const { secret, isNew } = webhookSecret(flags['secret-file'], flags.settings)
    const { done, stop } = stopSignal()
    let left = flags.count ?? Number.POSITIVE_INFINITY
    const receiver = await openReceiver({
      port: flags.port,
      host: flags.host,
      secret,
      onEvent: (event) => {
        this.log(flags.json ? event.body : lineOf(event))
        left--
        if (left <= 0) stop()
      },
      onRefusal: (reason) => process.stderr.write(`refused: ${reason}\n`),
    })
    process.stderr.write(`listening: PAY_WEBHOOK_URL=${receiver.url}\n`)
    if (flags['print-secret'] || isNew) this.log(`PAY_WEBHOOK_SECRET=${secret.reveal()}`)
    await done
    await receiver.close()
  }
}

function lineOf({ eventId, payload }: ReceivedEvent): string {
  const { event_type = '?', invoice_id = null } = payload !== null && typeof payload === 'object' ? shape(payload) : {}
  return [event_type, `event=${eventId}`, `invoice=${invoice_id ?? '-'}`, 'signatures=ok'].join(' ')
}

const shape = (payload: object): { event_type?: string; invoice_id?: string | null } => payload
