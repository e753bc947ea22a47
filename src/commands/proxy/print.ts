import { Args, Flags } from '@oclif/core'
import { examplesOf, InstallCommand, openPartialSettings, settingsFlag, usage } from '../../cli/index.js'
import { DAEMON_NAMES, type DaemonName } from '../../lib/daemon-names.js'
import { hostPort } from '../../lib/url.js'
import type { ProxyOptions } from '../../wizard/index.js'

const PROGRAMS = ['caddy', 'nginx'] as const
type Program = (typeof PROGRAMS)[number]

/** What the flags say. */
interface Wanted {
  readonly program: Program
  readonly daemon: DaemonName
  readonly envFile: string | undefined
  /** File with the settings of the relay. */
  readonly config: string | undefined
  readonly split: boolean
  readonly relayHost: string | undefined
  readonly relayUpstream: string | undefined
  readonly own: Pick<ProxyOptions, 'listen' | 'certificate'>
}

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

interface Given {
  readonly kind?: Program | undefined
  readonly daemon: Wanted['daemon']
  readonly split: boolean
  readonly listen?: string | undefined
  readonly certificate?: string | undefined
  readonly key?: string | undefined
  readonly config?: string | undefined
  readonly settings?: string | undefined
  readonly 'relay-host'?: string | undefined
  readonly 'relay-upstream'?: string | undefined
}

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
    const wanted = this.wanted(flags, args.program)
    const { placement, text } = await this.rendered(wanted)
    this.log(text.trimEnd())
    return { program: wanted.program, placement, text }
  }

  protected wanted(flags: Given, argument: Program | undefined): Wanted {
    const program = flags.kind ?? argument
    if (program === undefined) throw usage('say which proxy: --kind nginx, or --kind caddy')
    const certificate = flags.certificate && flags.key ? { chain: flags.certificate, key: flags.key } : undefined
    return {
      program,
      daemon: flags.daemon,
      envFile: flags.settings,
      config: flags.config,
      split: flags.split,
      relayHost: flags['relay-host'],
      relayUpstream: flags['relay-upstream'],
      own: { listen: flags.listen, certificate },
    }
  }

  protected async rendered(wanted: Wanted): Promise<{ readonly placement: string; readonly text: string }> {
    const render = {
      pay: () => this.forTill(wanted),
      nameauth: () => this.forNames(wanted),
      relay: () => this.forRelay(wanted),
    }
    return render[wanted.daemon]()
  }

  private async forTill({ program, own, envFile }: Wanted) {
    const { readTillProxySettings } = await openPartialSettings()
    const { renderTillProxy } = await import('../../wizard/index.js')
    return { placement: 'pay', text: renderTillProxy(program, { ...readTillProxySettings(envFile), ...own }) }
  }

  private async forRelay({ program, own, envFile, config: file = envFile }: Wanted) {
    const { readRelayProxySettings } = await openPartialSettings()
    const { renderRelayProxy } = await import('../../wizard/index.js')
    return { placement: 'relay', text: renderRelayProxy(program, { ...readRelayProxySettings(file), ...own }) }
  }

  private async forNames({ program, config, own, ...flags }: Wanted) {
    const { readNameauthProxySettings, readRelayProxySettings } = await openPartialSettings()
    const { publicRelay, renderProxy } = await import('../../wizard/index.js')
    const { colocated, ...settings } = readNameauthProxySettings(flags.envFile)
    const relay = config === undefined ? undefined : readRelayProxySettings(config)
    const host = relay && relay.relayUrls.length > 0 ? publicRelay(relay.relayUrls).host : undefined
    const relayHost = flags.relayHost ?? (host === settings.domain ? undefined : host)
    const options: ProxyOptions = {
      ...settings,
      ...own,
      relayHost,
      placement: flags.split || relayHost !== undefined || !colocated ? 'split' : 'colocated',
      relayUpstream: flags.relayUpstream ?? (relay ? hostPort(relay.bind.host, relay.bind.port) : USUAL_RELAY),
    }
    const text = renderProxy(program, options)
    if (options.placement === 'split' && relayHost === undefined)
      this.note('only the host of the authority is in it; --relay-host adds that of the relay')
    return { placement: options.placement, text }
  }
}
