import { BaseCommand, type Column, daemonFlag, examplesOf, openSettings, settingsFlag } from '../../cli/index.js'
import type { EffectiveSetting } from '../../config/index.js'

export const COLUMNS: readonly Column<EffectiveSetting>[] = [
  { title: 'SETTING', id: true, value: ({ name }) => name },
  { title: 'VALUE', value: ({ value }) => value, shrinks: true },
  { title: 'FROM', value: ({ origin }) => origin, shrinks: 'first' },
]

export default class ConfigShow extends BaseCommand {
  static override summary = 'show every setting in force and where it comes from'
  static override description =
    'Shows secrets only as "set" or "unset". The last lines (relay-set.1 …) list the relays that result: the till reads all of them and advertises the marked ones. Detects the daemon by the names (PAY_, NAMEAUTH_); for the relay give --daemon relay.'
  static override examples = examplesOf(
    '',
    '--settings /etc/grinpay/pay.env --json',
    '--daemon nameauth',
    '--daemon relay',
  )
  static override enableJsonFlag = true
  static override flags = {
    settings: settingsFlag('settings of the daemon (or GRINPAY_ENV_FILE); of the relay its TOML file'),
    daemon: daemonFlag(),
  }

  async run() {
    const { flags } = await this.parse(ConfigShow)
    const { shownSettings } = await openSettings()
    const items = shownSettings(flags.settings, flags.daemon)
    this.logTable(items, COLUMNS)
    return { items, next: null }
  }
}
