import { Args } from '@oclif/core'
import { BaseCommand, examplesOf, openProfiles } from '../../cli/index.js'

export default class TillRemove extends BaseCommand {
  static override summary = 'remove a saved till'
  static override description = 'Removes only the entry; the till, its tokens and their files stay.'
  static override examples = examplesOf('test', 'test --json')
  static override enableJsonFlag = true
  static override args = { name: Args.string({ required: true, description: 'name in "till list"' }) }

  async run() {
    const { args } = await this.parse(TillRemove)
    const { removeProfile } = await openProfiles()
    const { used } = await removeProfile(args.name)
    this.log(args.name)
    return { name: args.name, removed: true, used }
  }
}
