import { Flags } from '@oclif/core'
import { BaseCommand, daemonFlag, examplesOf, findingLine, openSettings, settingsFlag, usage } from '../cli/index.js'
import type { CheckFinding } from '../doctor/index.js'

const LOOKING = 'looking'

export default class Doctor extends BaseCommand {
  static override summary = "diagnose a daemon's environment and suggest fixes"
  static override description =
    'Prints one finding per line: pass, warn or fail, with a remedy. Exits 6 if a check fails. The daemon need not run. Sends test gift wraps to the relays and one signed test event to the shop; removes what it sent to its own relay and changes nothing else. What each check does: docs/doctor.md.'
  static override examples = examplesOf(
    '',
    '--check relay --check clock',
    '--settings /etc/grinpay/pay.env --json',
    '--daemon nameauth',
    '--daemon relay --check address --check idle',
  )
  static override enableJsonFlag = true
  static override flags = {
    settings: settingsFlag('settings of the daemon (or GRINPAY_ENV_FILE); of the relay its TOML file'),
    check: Flags.string({
      description:
        'only this check, repeatable: settings, database, cluster, till, secrets, address, webhook, node, wallet, identity, relay, clock, tor, foreign, console, service; of the name authority: settings, database, cluster, daemon, address, pay, node, clock, service; of the relay: settings, database, lists, cluster, signatures, daemon, address, wraps, names, clock, service, idle',
      helpValue: 'NAME',
      multiple: true,
    }),
    daemon: daemonFlag(),
  }

  async run() {
    const { flags } = await this.parse(Doctor)
    const settings = await openSettings()
    const { DOCTORS } = await import('../doctor/index.js')
    const options = {
      ...(flags.check ? { only: flags.check } : {}),
      tell: ({ check, about, ...found }: CheckFinding) =>
        this.log(findingLine({ ...found, name: about === undefined ? check : `${check} ${about}` })),
    }
    const { daemon, sources } = settings.requiredSettings(flags, flags.daemon)
    const { checkNames, examine } = DOCTORS[daemon]
    requireKnown(flags.check, checkNames)
    const { startFileProblems } = await import('../daemons/start-files.js')
    const request = {
      ...options,
      fileProblems: () => startFileProblems(daemon, sources),
      sources,
      tillUrl: () => settings.localTillUrl(sources.environment),
      address: async () => (await (await import('../wizard/index.js')).localAddressOf(sources.environment)).address,
    }
    return this.end(await this.waiting(LOOKING, () => examine(request)))
  }

  /** The exit code tells the outcome; with --json the list comes first, as one document. */
  private end(findings: readonly CheckFinding[]) {
    const items = findings.map(({ check, about = null, level, detail, remedy = null }) => ({
      check,
      about,
      level,
      detail,
      remedy,
    }))
    const failed = items.filter(({ level }) => level === 'fail').length
    if (failed === 0) return { items, next: null }
    this.say(`${failed} of ${items.length} failed`)
    return this.endNegative({ items, next: null })
  }
}

/** Throws USAGE for a check that is not there. */
function requireKnown(wanted: readonly string[] = [], names: readonly string[]): void {
  const unknown = wanted.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw usage(`no check ${unknown.join(', ')}; there are ${names.join(', ')}`)
}
