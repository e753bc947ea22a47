import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, sandboxFlags } from '../../cli/index.js'
import { foreignText } from '../../lib/plain-text.js'

export default class SandboxMine extends BaseCommand {
  static override summary = 'mine blocks on the chain of the running sandbox'
  static override examples = examplesOf('', '10 --empty')
  static override enableJsonFlag = true
  static override args = { blocks: Args.integer({ default: 1, min: 1, max: 10_000, description: 'number of blocks' }) }
  static override flags = {
    empty: Flags.boolean({ description: 'leave waiting transactions in the pool' }),
    ...sandboxFlags,
  }

  async run() {
    const { args, flags } = await this.parse(SandboxMine)
    const { steerSandbox } = await import('../../daemons/sandbox-control.js')
    const state = await steerSandbox('mine', { blocks: args.blocks, empty: flags.empty }, flags['node-port'])
    this.log(
      flags.quiet
        ? `${foreignText(state.height)}`
        : `SANDBOX height ${foreignText(state.height)}, ${foreignText(state.pool)} waiting`,
    )
    return state
  }
}
