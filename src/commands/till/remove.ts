import { Args } from '@oclif/core'
import { BaseCommand, openProfiles } from '../../cli/index.js'

export default class TillRemove extends BaseCommand {
  static override summary = 'forget the name of a till'
  static override description = 'Only the name is forgotten: the till, its tokens and their files stay.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> test',
    '<%= config.bin %> <%= command.id %> test --json',
  ]
  static override enableJsonFlag = true
  static override args = { name: Args.string({ required: true, description: 'as "till list" shows it' }) }

  async run() {
    const { args } = await this.parse(TillRemove)
    const { removeProfile } = await openProfiles()
    const { used } = await removeProfile(args.name)
    this.log(args.name)
    return { name: args.name, removed: true, used }
  }
}
