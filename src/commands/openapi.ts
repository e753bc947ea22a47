import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BaseCommand } from '../cli/index.js'

export default class Openapi extends BaseCommand {
  static override summary = 'print the OpenAPI description of the HTTP API'
  static override examples = [
    '<%= config.bin %> <%= command.id %> > pay.json',
    '<%= config.bin %> <%= command.id %> | head',
  ]

  async run(): Promise<void> {
    await this.parse(Openapi)
    process.stdout.write(await readFile(join(this.config.root, 'openapi', 'pay.json'), 'utf8'))
  }
}
