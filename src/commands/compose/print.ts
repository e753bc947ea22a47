import { Flags } from '@oclif/core'
import { composeFlags, examplesOf, InstallCommand, openPartialSettings } from '../../cli/index.js'

const FILES = ['compose.yaml', 'Containerfile'] as const

export default class ComposePrint extends InstallCommand {
  static override summary = 'print a compose file and a container recipe from the settings'
  static override description =
    'One container per daemon: non-root, read-only file system except its data, secrets as files, health from /ready.'
  static override examples = examplesOf(
    '--daemon pay --daemon relay',
    '--daemon pay --daemon nameauth --daemon relay --file compose.yaml',
  )
  static override flags = {
    ...composeFlags,
    file: Flags.option({ options: FILES })({ description: 'print only this file' }),
  }

  async run() {
    const { flags } = await this.parse(ComposePrint)
    const { readContainedSettings } = await openPartialSettings()
    const { composeFiles } = await import('../../wizard/index.js')
    const { version } = this.config
    const { files, notes } = composeFiles({ services: readContainedSettings(flags), version, dir: flags.dir })
    return this.print(files, notes, flags.file)
  }
}
