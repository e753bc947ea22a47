import { Flags } from '@oclif/core'
import { BaseCommand, EXIT, openSettings, usage } from '../cli/index.js'
import type { Told } from '../doctor/index.js'
import { plainText } from '../lib/plain-text.js'

export default class Doctor extends BaseCommand {
  static override summary = 'look at everything the till needs and say what to do about what is wrong'
  static override description =
    'One line per finding: pass, warn or fail, and a remedy. Relays are tried with real gift wraps that we send to ourselves. Nothing of the till is changed, and the till need not run. Ends with 6 when something failed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --check relay --check clock',
    '<%= config.bin %> <%= command.id %> --env-file /etc/grinpay/pay.env --json',
  ]
  static override enableJsonFlag = true
  static override flags = {
    'env-file': Flags.string({ description: 'settings of the daemon (or GRINPAY_ENV_FILE)', helpValue: 'FILE' }),
    check: Flags.string({
      description: 'only this check, may be repeated: settings, till, identity, relay, clock, tor, foreign',
      helpValue: 'NAME',
      multiple: true,
    }),
  }

  async run() {
    const { flags } = await this.parse(Doctor)
    const [{ settingsFor, localAddressOf }, doctor] = await Promise.all([openSettings(), import('../doctor/index.js')])
    const unknown = (flags.check ?? []).filter((name) => !doctor.CHECK_NAMES.includes(name))
    if (unknown.length > 0) throw usage(`no check ${unknown.join(', ')}; there are ${doctor.CHECK_NAMES.join(', ')}`)
    const environment = settingsFor(flags['env-file'])
    const told = await doctor.examine({
      environment,
      ...(flags.check ? { only: flags.check } : {}),
      tillUrl: localAddressOf(environment),
      address: async () => (await (await import('../wizard/index.js')).localAddressOf(environment)).address,
      tell: (finding) => this.log(lineOf(finding, process.stdout.isTTY === true)),
    })
    return this.end(told)
  }

  /** The exit code tells the outcome; with --json the list comes first, as one document. */
  private end(told: readonly Told[]) {
    const items = told.map(({ check, about = null, level, detail, remedy = null }) => ({
      check,
      about,
      level,
      detail,
      remedy,
    }))
    const failed = items.filter(({ level }) => level === 'fail').length
    if (failed === 0) return { items, next: null }
    if (this.jsonEnabled()) this.logJson({ items, next: null })
    this.say(`${failed} of ${items.length} failed`)
    return this.exit(EXIT.negative)
  }
}

/** For people a sentence; programs get tab separated columns. */
function lineOf({ check, about, level, detail, remedy = '' }: Told, isWatched: boolean): string {
  const name = about === undefined ? check : `${check} ${about}`
  const [what, then] = [plainText(detail), plainText(remedy)]
  if (!isWatched) return [level, name, what, then].join('\t').trimEnd()
  return `${level}  ${name}: ${what}${then === '' ? '' : ` (${then})`}`
}
