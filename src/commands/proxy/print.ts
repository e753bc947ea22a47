import { Args, Flags } from '@oclif/core'
import { examplesOf, InstallCommand, openPartialSettings, settingsFlag, usage } from '../../cli/index.js'
import { DAEMON_NAMES, type DaemonName } from '../../lib/daemon-names.js'
import { hostPort } from '../../lib/url.js'
import type { ProxyOptions } from '../../wizard/index.js'

const PROGRAMS = ['caddy', 'nginx'] as const
type Program = (typeof PROGRAMS)[number]

/** The default address of a relay. */
const USUAL_RELAY = '127.0.0.1:7777'

const PROXY_FLAGS = {
  kind: Flags.option({ options: PROGRAMS })({ description: 'the proxy' }),
  daemon: Flags.option({ options: DAEMON_NAMES, default: 'nameauth' as const })({
    description: 'put the proxy before the till, the name authority with its relay, or a relay alone',
  }),
  settings: settingsFlag('settings of the daemon'),
  config: Flags.string({
    description: 'settings of the relay beside the name authority, for its address and host',
    helpValue: 'FILE',
  }),
  'relay-upstream': Flags.string({
    description: 'where the relay listens; default: its settings, else 127.0.0.1:7777',
    helpValue: 'HOST:PORT',
  }),
  'relay-host': Flags.string({
    description: 'host of the relay, if it differs from that of the names',
    helpValue: 'HOST',
  }),
  split: Flags.boolean({ description: 'give the authority its own host' }),
  listen: Flags.string({ description: 'listen only on this address; default: all, IPv4 and IPv6', helpValue: 'IP' }),
  certificate: Flags.string({
    description: 'PEM file with the certificate chain',
    helpValue: 'FILE',
    dependsOn: ['key'],
  }),
  key: Flags.string({ description: 'PEM file with the private key', helpValue: 'FILE', dependsOn: ['certificate'] }),
}

/** What the flags say. */
interface Given {
  readonly kind?: Program | undefined
  readonly daemon: DaemonName
  readonly settings?: string | undefined
  /** File with the settings of the relay. */
  readonly config?: string | undefined
  readonly split: boolean
  readonly listen?: string | undefined
  readonly certificate?: string | undefined
  readonly key?: string | undefined
  readonly 'relay-host'?: string | undefined
  readonly 'relay-upstream'?: string | undefined
}

const ownOf = ({ listen, certificate, key }: Given): Pick<ProxyOptions, 'listen' | 'certificate'> => ({
  listen,
  certificate: certificate && key ? { chain: certificate, key } : undefined,
})

export default class ProxyPrint extends InstallCommand {
  static override summary = 'print the configuration of a reverse proxy with TLS'
  static override description =
    "For names: one host, where name requests go to the authority and the rest to the relay. With --split, --relay-host or NAMEAUTH_AUTHORITY_COLOCATED=off the authority has its own host, and the relay's host serves only its /.well-known/nostr.json. With --daemon relay: a relay without names, or one that carries or forwards to the authority. With --daemon pay: everything but the till's admin API, and the host of PAY_CONSOLE_URL for its console."
  static override aliases = ['config:proxy']
  static override examples = examplesOf(
    '--kind caddy --daemon pay',
    '--kind nginx > /etc/nginx/conf.d/names.conf',
    '--kind nginx --relay-host relay.example --relay-upstream 127.0.0.1:8008',
    '--kind caddy --daemon relay --settings /etc/grinpay/relay.toml',
  )
  static override args = { program: Args.option({ options: PROGRAMS })({ description: 'the same as --kind' }) }
  static override flags: typeof PROXY_FLAGS = PROXY_FLAGS

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ProxyPrint)
    const program = this.programOf(flags, args.program)
    const { placement, text } = await this.rendered(program, flags)
    this.log(text.trimEnd())
    return { program, placement, text }
  }

  protected programOf({ kind }: Given, argument: Program | undefined): Program {
    const program = kind ?? argument
    if (program === undefined) throw usage('say which proxy: --kind nginx, or --kind caddy')
    return program
  }

  protected rendered(program: Program, flags: Given): Promise<{ readonly placement: string; readonly text: string }> {
    const render = {
      pay: () => this.forTill(program, flags),
      nameauth: () => this.forNames(program, flags),
      relay: () => this.forRelay(program, flags),
    }
    return render[flags.daemon]()
  }

  private async forTill(program: Program, flags: Given) {
    const { readTillProxySettings } = await openPartialSettings()
    const { renderTillProxy } = await import('../../wizard/index.js')
    const settings = readTillProxySettings(flags.settings)
    return { placement: 'pay', text: renderTillProxy(program, { ...settings, ...ownOf(flags) }) }
  }

  private async forRelay(program: Program, flags: Given) {
    const { readRelayProxySettings } = await openPartialSettings()
    const { renderRelayProxy } = await import('../../wizard/index.js')
    const settings = readRelayProxySettings(flags.config ?? flags.settings)
    return { placement: 'relay', text: renderRelayProxy(program, { ...settings, ...ownOf(flags) }) }
  }

  private async forNames(program: Program, flags: Given) {
    const { config } = flags
    const { readNameauthProxySettings, readRelayProxySettings } = await openPartialSettings()
    const { publicRelay, renderProxy } = await import('../../wizard/index.js')
    const { colocated, ...settings } = readNameauthProxySettings(flags.settings)
    const relay = config === undefined ? undefined : readRelayProxySettings(config)
    const host = relay && relay.relayUrls.length > 0 ? publicRelay(relay.relayUrls).host : undefined
    const relayHost = flags['relay-host'] ?? (host === settings.domain ? undefined : host)
    const placement = flags.split || relayHost !== undefined || !colocated ? 'split' : 'colocated'
    const relayUpstream = flags['relay-upstream'] ?? (relay ? hostPort(relay.bind.host, relay.bind.port) : USUAL_RELAY)
    const text = renderProxy(program, { ...settings, ...ownOf(flags), relayHost, placement, relayUpstream })
    if (placement === 'split' && relayHost === undefined)
      this.note('only the host of the authority is in it; --relay-host adds that of the relay')
    return { placement, text }
  }
}
