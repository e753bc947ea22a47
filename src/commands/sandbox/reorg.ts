import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/index.js'

export default class SandboxReorg extends BaseCommand {
  static override summary = 'replace the newest blocks of the running sandbox by others'
  static override description =
    'The lost transactions wait in the pool for the next block; with --forget they are gone and their coins free again.'
  static override examples = ['<%= config.bin %> <%= command.id %> 2', '<%= config.bin %> <%= command.id %> 3 --forget']
  static override enableJsonFlag = true
  static override args = { depth: Args.integer({ default: 1, min: 1, max: 10_000, description: 'how many blocks' }) }
  static override flags = {
    forget: Flags.boolean({ description: 'lose their transactions for good' }),
    'node-port': Flags.integer({ description: 'port of the sandbox node', default: 8421, min: 1, max: 65535 }),
  }

  async run() {
    const { args, flags } = await this.parse(SandboxReorg)
    const { steerSandbox } = await import('../../daemons/sandbox-control.js')
    const state = await steerSandbox('reorg', { depth: args.depth, forget: flags.forget }, flags['node-port'])
    this.log(flags.quiet ? `${state.height}` : `SANDBOX height ${state.height}, ${state.pool} waiting`)
    return state
  }
}
