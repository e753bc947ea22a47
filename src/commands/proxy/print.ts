import { Args, Flags } from '@oclif/core'
import { InstallCommand, openProxySettings, settingsFlag, usage } from '../../cli/index.js'
import { hostPort } from '../../lib/host-port.js'
import type { ProxyWishes } from '../../wizard/index.js'

const PROGRAMS = ['caddy', 'nginx'] as const
type Program = (typeof PROGRAMS)[number]

/** What the flags say. */
interface Wanted {
  readonly program: Program
  readonly daemon: 'pay' | 'nameauth' | 'relay'
  readonly envFile: string | undefined
  /** File with the settings of the relay. */
  readonly config: string | undefined
  readonly split: boolean
  readonly relayHost: string | undefined
  readonly relayUpstream: string | undefined
  readonly own: Pick<ProxyWishes, 'listen' | 'certificate'>
}

/** Where a relay listens unless it is told. */
const USUAL_RELAY = '127.0.0.1:7777'

const PROXY_FLAGS = {
  kind: Flags.option({ options: PROGRAMS })({ description: 'which proxy' }),
  daemon: Flags.option({ options: ['pay', 'nameauth', 'relay'] as const, default: 'nameauth' as const })({
    description: 'in front of the till, of the name authority with its relay, or of a relay on its own',
  }),
  settings: settingsFlag('settings of the till or of the name authority'),
  config: Flags.string({
    description: 'settings of the relay; tells where it listens, and its host',
    helpValue: 'FILE',
  }),
  'relay-upstream': Flags.string({
    description: 'where the relay listens, unless its settings tell; default 127.0.0.1:7777',
    helpValue: 'HOST:PORT',
  }),
  'relay-host': Flags.string({ description: 'host of the relay, when it is not that of the names', helpValue: 'HOST' }),
  split: Flags.boolean({ description: 'the authority has a host of its own' }),
  listen: Flags.string({ description: 'listen on this address alone; default all, IPv4 and IPv6', helpValue: 'IP' }),
  certificate: Flags.string({ description: 'PEM file with the chain', helpValue: 'FILE', dependsOn: ['key'] }),
  key: Flags.string({ description: 'PEM file with its key', helpValue: 'FILE', dependsOn: ['certificate'] }),
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
  static override summary =
    'print the configuration of a proxy in front of the till, the name authority, the relay, or the latter two'
  static override description =
    'With TLS. For names: one host that relay and names share, where names are passed to the authority and everything else to the relay. With --split or --relay-host, or NAMEAUTH_AUTHORITY_COLOCATED=off, the authority has a host of its own, and of it the host of the relay carries the document /.well-known/nostr.json alone. With --daemon relay, for a relay that answers for its whole host: one without names, or that has the authority in its process or passes on to it. With --daemon pay, everything of the till but its admin API. Nothing is written. Also called "config proxy".'
  static override aliases = ['config:proxy']
  static override examples = [
    '<%= config.bin %> <%= command.id %> --kind caddy --daemon pay',
    '<%= config.bin %> <%= command.id %> --kind nginx > /etc/nginx/conf.d/names.conf',
    '<%= config.bin %> <%= command.id %> --kind nginx --relay-host relay.example --relay-upstream 127.0.0.1:8008',
    '<%= config.bin %> <%= command.id %> --kind caddy --daemon relay --config /etc/grinpay/relay.toml',
  ]
  static override enableJsonFlag = true
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
    if (wanted.daemon === 'nameauth') return this.forNames(wanted)
    const { program, own, config, envFile } = wanted
    const { readRelayProxySettings, readTillProxySettings } = await openProxySettings()
    const { renderRelayProxy, renderTillProxy } = await import('../../wizard/index.js')
    return wanted.daemon === 'pay'
      ? { placement: 'pay', text: renderTillProxy(program, { ...readTillProxySettings(envFile), ...own }) }
      : { placement: 'relay', text: renderRelayProxy(program, { ...readRelayProxySettings(config), ...own }) }
  }

  private async forNames({ program, config, own, ...told }: Wanted) {
    const { readProxySettings, readRelayProxySettings } = await openProxySettings()
    const { publicRelay, renderProxy } = await import('../../wizard/index.js')
    const { colocated, ...settings } = readProxySettings(told.envFile)
    const relay = config === undefined ? undefined : readRelayProxySettings(config)
    const host = relay && relay.relayUrls.length > 0 ? publicRelay(relay.relayUrls).host : undefined
    const relayHost = told.relayHost ?? (host === settings.domain ? undefined : host)
    const wishes: ProxyWishes = {
      ...settings,
      ...own,
      relayHost,
      placement: told.split || relayHost !== undefined || !colocated ? 'split' : 'colocated',
      relayUpstream: told.relayUpstream ?? (relay ? hostPort(relay.bind.host, relay.bind.port) : USUAL_RELAY),
    }
    const text = renderProxy(program, wishes)
    if (wishes.placement === 'split' && relayHost === undefined)
      this.note('only the host of the authority is in it; --relay-host adds that of the relay')
    return { placement: wishes.placement, text }
  }
}
