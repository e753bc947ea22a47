import { resolve } from 'node:path'
import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, openProfiles, readableByOthers, readSecretFile, usage } from '../../cli/index.js'

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/

export default class TillAdd extends BaseCommand {
  static override summary = 'save a till under a name, for --till'
  static override description =
    'Saves the address and the paths of token files in ~/.grinpay/tills.json, never a token. "invoice create", "show" and "wait" use the API token, all other commands the admin token.'
  static override examples = examplesOf(
    'shop --url https://pay.myshop.example --token-file ./api_token --admin-token-file ./admin_token',
    'test --url http://127.0.0.1:8080 --token-file ./admin_token --use',
  )
  static override enableJsonFlag = true
  static override args = { name: Args.string({ required: true, description: '1 to 32 of a-z, 0-9 and -' }) }
  static override flags = {
    url: Flags.string({ description: 'address of the till', required: true, helpValue: 'URL' }),
    'token-file': Flags.string({
      description: 'file with the API token, or with the only one',
      helpValue: 'FILE',
    }),
    'admin-token-file': Flags.string({ description: 'file with the admin token', helpValue: 'FILE' }),
    use: Flags.boolean({ description: 'make it the default till' }),
    replace: Flags.boolean({ description: 'replace the saved till of this name' }),
  }

  async run() {
    const { args, flags } = await this.parse(TillAdd)
    const { name } = args
    if (!NAME.test(name)) throw usage(`not a name for a till: "${name}" (1 to 32 of a-z, 0-9 and -)`)
    const { addProfile, tillUrl } = await openProfiles()
    const url = tillUrl(flags.url, true)
    const [token_file, admin_token_file] = [flags['token-file'], flags['admin-token-file']].map((path) =>
      path === undefined ? undefined : resolve(path),
    )
    const files = [token_file, admin_token_file].filter((path) => path !== undefined)
    if (files.length === 0) throw usage('name the file of a token: --token-file, --admin-token-file or both')
    for (const path of files) {
      readSecretFile(path) // now, rather than at the first command
      const open = readableByOthers(path)
      if (open !== undefined) this.say(`warning: ${open} can read the token in ${path}: chmod 600 ${path}`)
    }
    const profile = { name, url, ...(token_file && { token_file }), ...(admin_token_file && { admin_token_file }) }
    const { used } = await addProfile(profile, flags)
    this.log(name)
    if (token_file === undefined)
      this.say(
        'note: without an API token "invoice create", "show" and "wait" do not work with this till (--token-file)',
      )
    this.say(used === name ? 'commands talk to it from now on' : `next: grinpay invoice list --till ${name}`)
    return {
      name,
      url,
      token_file: token_file ?? null,
      admin_token_file: admin_token_file ?? null,
      used: used === name,
    }
  }
}
