import { Flags } from '@oclif/core'
import {
  BaseCommand,
  examplesOf,
  openPartialSettings,
  printedFiles,
  programOf,
  unitFlags,
  usage,
} from '../../cli/index.js'

export default class SystemdPrint extends BaseCommand {
  static override summary = 'print the systemd units of a daemon'
  static override description =
    'From the settings: the service, a nightly backup with its timer, the common target, and with --socket the socket.'
  static override examples = examplesOf('--daemon pay', '--daemon relay --socket --unit grinpay-relay.socket')
  static override enableJsonFlag = true
  static override flags = {
    ...unitFlags,
    unit: Flags.string({ description: 'print only this unit', helpValue: 'NAME' }),
  }

  async run() {
    const { flags } = await this.parse(SystemdPrint)
    const { readServiceSettings } = await openPartialSettings()
    const settings = readServiceSettings(flags)
    const { unitFiles } = await import('../../wizard/index.js')
    const { socket: hasSocket, backup: hasBackup, dir: unitDir, unit } = flags
    const program = programOf(this.config.root)
    const { files, notes } = unitFiles({ ...settings, program, hasSocket, hasBackup, unitDir })
    const shown = unit === undefined ? files : files.filter(({ path }) => path.endsWith(`/${unit}`))
    if (shown.length === 0)
      throw usage(
        `there is no unit "${unit}" among ${files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).join(', ')}`,
      )
    for (const note of notes) this.say(note)
    this.log(unit === undefined ? printedFiles(shown) : shown.map(({ text }) => text.trimEnd()).join('\n'))
    return { daemon: flags.daemon, files: shown.map(({ path, text }) => ({ path, text })), notes }
  }
}
