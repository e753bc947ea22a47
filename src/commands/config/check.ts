import { Args } from '@oclif/core'
import { BaseCommand, daemonFlag, examplesOf, openSettings } from '../../cli/index.js'
import { hasCode } from '../../lib/errors.js'

export default class ConfigCheck extends BaseCommand {
  static override summary = 'check the settings without starting anything'
  static override description =
    'Exits 2 and lists everything wrong on one line, a missing wallet password and files that the start could not read included. Reports unknown settings. Detects the daemon by the names (PAY_, NAMEAUTH_); for the relay give --daemon relay.'
  static override examples = examplesOf('', '/etc/grinpay/pay.env --json', '--daemon nameauth', '--daemon relay')
  static override enableJsonFlag = true
  static override args = {
    file: Args.string({
      description: 'settings file; by default the one that commands use',
    }),
  }
  static override flags = { daemon: daemonFlag() }

  async run() {
    const { args, flags } = await this.parse(ConfigCheck)
    const { checkSettings } = await openSettings()
    const { startProblems: fileProblems } = await import('../../daemons/start-files.js')
    const note = (text: string) => this.note(text)
    const asked = { file: args.file, asked: flags.daemon }
    const answer = withOwnRemedy(args.file, () => checkSettings({ ...asked, note, fileProblems }))
    this.log(`${answer.file ?? 'environment'}: ok`)
    return answer
  }
}

/** The usual remedy of wrong settings is this very command. */
function withOwnRemedy<T>(file: string | undefined, check: () => T): T {
  try {
    return check()
  } catch (thrown) {
    const hint = `correct ${file ?? 'them'}: docs/settings.md says what each setting takes`
    throw hasCode(thrown, 'CONFIGURATION') ? Object.assign(thrown as Error, { hint }) : thrown
  }
}
