import { examplesOf, InstallCommand, openPartialSettings, programOf, unitFlags } from '../../cli/index.js'

export default class SystemdInstall extends InstallCommand {
  static override summary = 'write the systemd units of a daemon from its settings'
  static override description =
    'Writes all units or none, mode 0644, and prints the commands that start them. Refuses to overwrite a unit changed by hand (exit 6) unless --force is given; shows the difference.'
  static override examples = examplesOf('--daemon pay', '--daemon nameauth --socket --dry-run')
  static override flags = { ...unitFlags, ...InstallCommand.installFlags }

  async run() {
    const { flags } = await this.parse(SystemdInstall)
    const { readServiceSettings } = await openPartialSettings()
    const settings = readServiceSettings(flags)
    const { installFiles, unitFiles } = await import('../../wizard/index.js')
    const { socket: hasSocket, backup: hasBackup, dir: unitDir } = flags
    const program = programOf(this.config.root)
    return this.install(unitFiles({ ...settings, program, hasSocket, hasBackup, unitDir }), flags, installFiles)
  }
}
