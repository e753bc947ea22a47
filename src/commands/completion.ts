import { Args } from '@oclif/core'
import { BaseCommand, fishCompletion } from '../cli/index.js'

export default class Completion extends BaseCommand {
  static override summary = 'print the completion of commands and flags for fish'
  static override description =
    'For ~/.config/fish/completions/grinpay.fish; print it again after an update. Bash and zsh: grinpay autocomplete.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> fish > grinpay.fish',
    '<%= config.bin %> <%= command.id %> fish | head -3',
  ]
  static override args = { shell: Args.string({ description: 'which shell', options: ['fish'], required: true }) }

  async run(): Promise<void> {
    await this.parse(Completion)
    process.stdout.write(fishCompletion(this.config.topics, this.config.commands))
  }
}
