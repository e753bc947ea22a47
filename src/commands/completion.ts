import { Args } from '@oclif/core'
import { BaseCommand, examplesOf, fishCompletion, usage } from '../cli/index.js'

/** Set up by the plugin of oclif. */
const OTHERS = ['bash', 'zsh', 'powershell']

export default class Completion extends BaseCommand {
  static override summary = 'print the fish completion of commands and flags'
  static override description =
    'Save it as ~/.config/fish/completions/grinpay.fish, and again after an update. For bash and zsh: grinpay autocomplete.'
  static override examples = examplesOf('fish > grinpay.fish', 'fish | head -3')
  static override args = { shell: Args.string({ description: 'the shell', options: ['fish'], required: true }) }

  async run(): Promise<void> {
    const [shell = ''] = this.argv
    if (OTHERS.includes(shell)) throw usage(`${shell} has no such file: grinpay autocomplete ${shell} sets it up`)
    await this.parse(Completion)
    process.stdout.write(fishCompletion(this.config.topics, this.config.commands))
  }
}
