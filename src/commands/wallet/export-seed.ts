import { Flags } from '@oclif/core'
import {
  BaseCommand,
  canAsk,
  confirm,
  examplesOf,
  openSettings,
  outputFile,
  settingsFlag,
  terminalWidth,
  usage,
} from '../../cli/index.js'

export default class WalletExportSeed extends BaseCommand {
  static override summary = 'show the seed words'
  static override description = 'The words give access to the money. Refuses while the daemon runs.'
  static override examples = examplesOf('', '--words-out /media/usb/words.txt --password-file pw --yes')
  static override enableJsonFlag = true
  static override flags = {
    settings: settingsFlag('settings of the daemon (or GRINPAY_ENV_FILE)'),
    'password-file': Flags.string({ description: 'file with the wallet password, - for stdin', helpValue: 'FILE' }),
    'words-out': Flags.string({ description: 'write the words to this new file instead', helpValue: 'FILE' }),
    yes: Flags.boolean({ description: 'skip the typed confirmation' }),
  }

  async run() {
    const { flags } = await this.parse(WalletExportSeed)
    const wordsOut = outputFile(flags['words-out'])
    if (this.jsonEnabled() && wordsOut === undefined)
      throw usage('seed words are never part of a document: name a file with --words-out')
    const { tillEnvironment } = await openSettings()
    const environment = tillEnvironment(flags.settings)
    await confirm('Showing the seed words', 'show my words', flags)
    const wizard = await import('../../wizard/index.js')
    await wizard.exportWords({
      environment,
      passwordFile: flags['password-file'],
      wordsOut,
      terminal: canAsk(flags['no-input']) ? wizard.createTerminal() : undefined,
      canShowWords: terminalWidth() !== undefined,
      tell: (text) => this.log(text),
    })
    return { file: wordsOut ?? null }
  }
}
