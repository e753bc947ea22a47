import { BaseCommand, examplesOf } from '../cli/index.js'

export default class Version extends BaseCommand {
  static override summary = 'print the versions of grinpay, Node and the system'
  static override examples = examplesOf('', '--json')
  static override enableJsonFlag = true

  async run() {
    const { flags } = await this.parse(Version)
    const { version, platform, arch } = this.config
    const node = process.version
    this.log(flags.quiet ? version : `grinpay ${version} (node ${node}, ${platform}-${arch})`)
    return { version, node, platform, arch }
  }
}
