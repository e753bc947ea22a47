import { basename } from 'node:path'
import { Flags } from '@oclif/core'
import { examplesOf, openPartialSettings, PrintCommand, programOf, unitFlags, usage } from '../../cli/index.js'

export default class SystemdPrint extends PrintCommand {
  static override summary = 'print the systemd units of a daemon'
  static override description =
    'From the settings: the service, a nightly backup with its timer, the common target, and with --socket the socket.'
  static override examples = examplesOf('--daemon pay', '--daemon relay --socket --unit grinpay-relay.socket')
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
    const names = files.map(({ path }) => basename(path))
    if (unit !== undefined && !names.includes(unit)) throw usage(`there is no unit "${unit}" among ${names.join(', ')}`)
    return { daemon: flags.daemon, ...this.print(files, notes, unit) }
  }
}
