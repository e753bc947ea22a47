import { Flags } from '@oclif/core'
import { BaseCommand, canAsk, examplesOf, openSettings, settingsFlag } from '../../cli/index.js'

export default class WalletRestore extends BaseCommand {
  static override summary = 'restore the wallet from its seed words or a grin-wallet seed file'
  static override description =
    'Needs the settings of a till without a wallet. Never reuses a key index used before the loss, and never overwrites a wallet. Refuses while the daemon runs.'
  static override examples = examplesOf(
    '',
    '--seed-file wallet_data/wallet.seed --seed-password-file old-pw --password-file pw',
  )
  static override enableJsonFlag = true
  static override flags = {
    settings: settingsFlag('settings of the daemon (or GRINPAY_ENV_FILE)'),
    'mnemonic-file': Flags.string({ description: 'file with the seed words, - for stdin', helpValue: 'FILE' }),
    'seed-file': Flags.string({
      description: "grin-wallet's wallet.seed",
      helpValue: 'FILE',
      exclusive: ['mnemonic-file'],
    }),
    'seed-password-file': Flags.string({
      description: 'file with the password of --seed-file; an empty one if it has none',
      helpValue: 'FILE',
    }),
    'password-file': Flags.string({ description: 'file with the wallet password of this till', helpValue: 'FILE' }),
  }

  async run() {
    const { flags } = await this.parse(WalletRestore)
    const { tillEnvironment } = await openSettings()
    const environment = tillEnvironment(flags.settings)
    const wizard = await import('../../wizard/index.js')
    const restored = await wizard.restoreWallet({
      environment,
      mnemonicFile: flags['mnemonic-file'],
      seedFile: flags['seed-file'],
      seedPasswordFile: flags['seed-password-file'],
      passwordFile: flags['password-file'],
      terminal: canAsk(flags['no-input']) ? wizard.createTerminal() : undefined,
      random: wizard.systemRandom,
    })
    this.log(`${restored.address}`)
    this.say(`wallet restored at ${restored.path}`)
    this.say('next: grinpay serve pay')
    return restored
  }
}
