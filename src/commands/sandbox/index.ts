import { Flags } from '@oclif/core'
import { BaseCommand, examplesOf, parseMilliseconds, stopSignal } from '../../cli/index.js'

export default class Sandbox extends BaseCommand {
  static override summary = 'run a whole till with play money on this machine'
  static override description =
    'Starts a till, a name authority, a simulated Grin chain, a payer and a webhook receiver. Creates and pays an invoice, shows both signed events, buys a name, and keeps running for your shop.'
  static override examples = examplesOf('', '--forward-to http://127.0.0.1:3000/webhook', '--once')
  static override flags = {
    port: Flags.integer({
      description: 'port of the till (default: 8420, or a free port)',
      min: 0,
      max: 65535,
      helpValue: 'PORT',
    }),
    'node-port': Flags.integer({
      description: 'port of the Grin node (default: 8421, or a free port)',
      min: 0,
      max: 65535,
      helpValue: 'PORT',
    }),
    'block-every': Flags.string({ description: 'time between blocks', default: '1s', helpValue: '500ms|2s' }),
    'data-dir': Flags.string({
      description: 'keep tokens and invoices in this folder for the next run',
      helpValue: 'FOLDER',
    }),
    'forward-to': Flags.string({ description: 'forward verified webhooks to this address', helpValue: 'URL' }),
    once: Flags.boolean({
      description: 'exit after the first confirmed invoice and the first name',
      exclusive: ['no-pay'],
    }),
    'no-pay': Flags.boolean({ description: 'pay nothing automatically' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Sandbox)
    const blockEveryMs = parseMilliseconds(flags['block-every'])
    this.log(' SANDBOX  starting a till, a made-up Grin chain and a payer with play money')
    const { startSandbox } = await import('../../daemons/sandbox.js')
    const { done } = stopSignal()
    const sandbox = await startSandbox({
      version: this.config.version,
      port: flags.port,
      nodePort: flags['node-port'],
      blockEveryMs,
      dataDir: flags['data-dir'],
      forwardTo: flags['forward-to'],
      story: !flags['no-pay'],
      write: (text) => process.stdout.write(text),
      uptimeSeconds: process.uptime(),
    })
    try {
      await Promise.race([done, sandbox.scriptResult])
      if (!flags.once) await done
    } finally {
      await sandbox.close()
    }
  }
}
