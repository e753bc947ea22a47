import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, sandboxFlags } from '../../cli/index.js'
import { foreignText } from '../../lib/plain-text.js'

export default class SandboxReorg extends BaseCommand {
  static override summary = 'replace the newest blocks of the running sandbox'
  static override description =
    'The removed transactions return to the pool for the next block; with --forget they are dropped and their coins are free again.'
  static override examples = examplesOf('2', '3 --forget')
  static override enableJsonFlag = true
  static override args = { depth: Args.integer({ default: 1, min: 1, max: 10_000, description: 'number of blocks' }) }
  static override flags = {
    forget: Flags.boolean({ description: 'drop their transactions' }),
    ...sandboxFlags,
  }

  async run() {
    const { args, flags } = await this.parse(SandboxReorg)
    const { steerSandbox } = await import('../../daemons/sandbox-control.js')
    const state = await steerSandbox('reorg', { depth: args.depth, forget: flags.forget }, flags['node-port'])
    this.log(
      flags.quiet
        ? `${foreignText(state.height)}`
        : `SANDBOX height ${foreignText(state.height)}, ${foreignText(state.pool)} waiting`,
    )
    return state
  }
}
