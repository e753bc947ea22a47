import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, outputFile } from '../../cli/index.js'
import { hashOfSecret } from '../../lib/secret-lines.js'

export default class SecretNew extends BaseCommand {
  static override summary = 'generate an API token, admin token or webhook secret'
  static override description =
    'Prints the secret once, or writes it to a new private file; changes nothing. Put it into PAY_API_TOKEN, PAY_ADMIN_TOKEN or PAY_WEBHOOK_SECRET, or name the file as NAME_FILE. For tokens also prints the hash, which is all the till needs. To replace a secret in use: "grinpay secret rotate".'
  static override examples = examplesOf('api', 'webhook --out ./webhook_secret', 'admin --json')
  static override enableJsonFlag = true
  static override args = {
    kind: Args.option({ options: ['api', 'admin', 'webhook'] as const })({
      required: true,
      description: 'its purpose',
    }),
  }
  static override flags = {
    out: Flags.string({
      description: 'write it to this new file, mode 0600; - for standard output',
      helpValue: 'FILE',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(SecretNew)
    const { makeSecret } = await import('../../wizard/index.js')
    const { kind } = args
    const out = outputFile(flags.out)
    const secret = await makeSecret(kind, out)
    const hash = kind === 'webhook' ? null : hashOfSecret(secret).reveal()
    this.log(out ?? secret.reveal())
    if (hash !== null) this.say(`for the settings, without the token itself: ${hash}`)
    return { kind, secret: out === undefined ? secret.reveal() : null, file: out ?? null, hash }
  }
}
