import { composeFlags, InstallCommand, openServiceSettings } from '../../cli/index.js'

export default class ComposeInstall extends InstallCommand {
  static override summary = 'write a compose file and the recipe of its image, from the settings'
  static override description =
    'What "compose print" prints, mode 0644. A file that was changed by hand is left alone, and the command ends with 6, unless --force is given; what changes is shown. Nothing is built or started: the lines to type are printed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --daemon pay --dir /srv/grinpay',
    '<%= config.bin %> <%= command.id %> --daemon pay --daemon nameauth --daemon relay --dry-run',
  ]
  static override enableJsonFlag = true
  static override flags = { ...composeFlags, ...InstallCommand.installFlags }

  async run() {
    const { flags } = await this.parse(ComposeInstall)
    const { readContainedSettings } = await openServiceSettings()
    const { composeFiles, installFiles } = await import('../../wizard/index.js')
    const { force, dir, 'dry-run': dryRun } = flags
    const { version } = this.config
    const { files, notes, commands } = composeFiles({ services: readContainedSettings(flags), version, dir })
    for (const note of notes) this.say(note)
    const installed = await installFiles({ files, force, dryRun, say: (text) => this.say(text) })
    return this.toldInstalled({ installed, commands, notes, dryRun })
  }
}
