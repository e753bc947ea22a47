import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, sandboxFlags } from '../../cli/index.js'
import { foreignText } from '../../lib/plain-text.js'

export default class SandboxPay extends BaseCommand {
  static override summary = 'pay an open invoice of the running sandbox with play money'
  static override description =
    "Also pays an invoice of another test-network till whose Grin node is the sandbox's: give its checkout address."
  static override examples = examplesOf(
    'http://127.0.0.1:8420/pay/…',
    'https://pay.shop.example/pay/…',
    '0f3c2a9be1d84f7a92c65d1e8b704c3d --rail grin1',
  )
  static override enableJsonFlag = true
  static override args = {
    target: Args.string({
      required: true,
      description: 'checkout address, or invoice id or its first 6 characters or more',
    }),
  }
  static override flags = {
    rail: Flags.option({
      description: 'payment rail',
      options: ['nostr', 'slatepack', 'grin1'] as const,
      default: 'nostr',
    })(),
    ...sandboxFlags,
  }

  async run() {
    const { args, flags } = await this.parse(SandboxPay)
    const { steerSandbox } = await import('../../daemons/sandbox-control.js')
    const { rail } = flags
    const order = { target: args.target, rail }
    const { slate_id, kernel_excess, pay_url } = await this.waiting(`paying over ${rail}`, () =>
      steerSandbox('pay', order, flags['node-port']),
    )
    this.log(flags.quiet ? `${foreignText(slate_id)}` : `SANDBOX paid over ${rail}, slate ${foreignText(slate_id)}`)
    return { network: 'SANDBOX', rail, slate_id, kernel_excess, pay_url }
  }
}
