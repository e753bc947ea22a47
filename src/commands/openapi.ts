import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Args } from '@oclif/core'
import { BaseCommand, examplesOf } from '../cli/index.js'
import { parseJson } from '../lib/parse-json.js'

export default class Openapi extends BaseCommand {
  static override summary = 'print the OpenAPI description of the HTTP API'
  static override examples = examplesOf('> pay.json', 'nameauth | head')
  static override enableJsonFlag = true
  static override args = {
    daemon: Args.string({ description: 'the daemon', options: ['pay', 'nameauth'], default: 'pay' }),
  }

  /** Is JSON with and without the flag. */
  async run(): Promise<unknown> {
    const { args } = await this.parse(Openapi)
    const text = await readFile(join(this.config.root, 'openapi', `${args.daemon}.json`), 'utf8')
    if (!this.jsonEnabled()) process.stdout.write(text)
    return parseJson(text)
  }
}
