import { BaseCommand, examplesOf, openSettings, settingsFlag } from '../../cli/index.js'
import { noticeLine } from '../../lib/notice-line.js'

export default class RelayPolicy extends BaseCommand {
  static override summary = 'run the write policy as a plugin of another relay (strfry)'
  static override description =
    "Answers each JSON line on stdin with one line, as strfry's writePolicy.plugin expects. Reads RELAY_ALLOWED_KINDS, RELAY_AUTHORIZED_AUTHORS, RELAY_REQUIRE_AUTH, RELAY_PAY_MODE, RELAY_AUTHORITY_URL and RELAY_PAID_CACHE_SECS from the environment and RELAY_ENV_FILE. Does not start with invalid settings; the relay then refuses every event."
  static override examples = examplesOf(
    'RELAY_AUTHORIZED_AUTHORS=npub1… <%= config.bin %> <%= command.id %>',
    '--settings /etc/grinpay/relay-policy.env',
  )
  static override flags = {
    settings: settingsFlag('settings, as KEY=VALUE lines (or RELAY_ENV_FILE)'),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(RelayPolicy)
    const { loadPolicySettings } = await openSettings()
    const settings = loadPolicySettings(flags.settings)
    for (const notice of settings.notices) this.logToStderr(`note: ${noticeLine(notice)}`)
    const { servePolicy } = await import('../../daemons/relay-policy.js')
    await servePolicy(settings, {
      input: process.stdin,
      write: (line) => process.stdout.write(line),
      complain: (line) => this.logToStderr(line),
    })
  }
}
