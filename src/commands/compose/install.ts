import { composeFlags, examplesOf, InstallCommand, openPartialSettings } from '../../cli/index.js'

export default class ComposeInstall extends InstallCommand {
  static override summary = 'write a compose file and a container recipe from the settings'
  static override description =
    'Writes what "compose print" prints, mode 0644, and prints the commands to build and start it. Refuses to overwrite a file changed by hand (exit 6) unless --force is given; shows the difference.'
  static override examples = examplesOf(
    '--daemon pay --dir /srv/grinpay',
    '--daemon pay --daemon nameauth --daemon relay --dry-run',
  )
  static override flags = { ...composeFlags, ...InstallCommand.installFlags }

  async run() {
    const { flags } = await this.parse(ComposeInstall)
    const { readContainedSettings } = await openPartialSettings()
    const { composeFiles, installFiles } = await import('../../wizard/index.js')
    const services = readContainedSettings(flags)
    const { version } = this.config
    return this.install(composeFiles({ services, version, dir: flags.dir }), flags, installFiles)
  }
}
