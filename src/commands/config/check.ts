import { Args } from '@oclif/core'
import { BaseCommand, openSettings } from '../../cli/index.js'

export default class ConfigCheck extends BaseCommand {
  static override summary = 'check the settings without starting anything'
  static override description = 'Ends with 2 and one line that lists everything wrong.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> /etc/grinpay/pay.env --json',
  ]
  static override enableJsonFlag = true
  static override args = { file: Args.string({ description: 'env file; without it the one the commands would use' }) }

  async run() {
    const { args } = await this.parse(ConfigCheck)
    const { checkSettings } = await openSettings()
    const answer = checkSettings(args.file)
    for (const notice of answer.notices) this.say(`note: ${notice}`)
    this.log(`${answer.file ?? 'environment'}: ok`)
    return answer
  }
}
