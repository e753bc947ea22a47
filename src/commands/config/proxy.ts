import { Args, Flags } from '@oclif/core'
import { BaseCommand, openProxySettings } from '../../cli/index.js'
import { hostPort } from '../../lib/host-port.js'
import type { ProxyWishes } from '../../wizard/index.js'

interface Wanted {
  readonly program: 'caddy' | 'nginx'
  readonly listen: string | undefined
  readonly certificate: ProxyWishes['certificate']
  /** File with the settings of the relay. */
  readonly config: string | undefined
}

interface NamesFlags {
  readonly envFile: string | undefined
  readonly split: boolean
  readonly relayHost: string | undefined
  readonly relayUpstream: string | undefined
}

/** Where a relay listens unless it is told. */
const USUAL_RELAY = '127.0.0.1:7777'
const PROGRAMS = ['caddy', 'nginx'] as const

export default class ConfigProxy extends BaseCommand {
  static override summary = 'print the configuration of a proxy in front of the name authority, the relay, or both'
  static override description =
    'With TLS, for one host that relay and names share: names are passed to the authority, everything else to the relay. With --split or --relay-host, or NAMEAUTH_AUTHORITY_COLOCATED=off, the authority has a host of its own, and of it the host of the relay carries the document /.well-known/nostr.json alone. With --daemon relay, for a relay that answers for its whole host: one without names, or that has the authority in its process or passes on to it. Nothing is written.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> caddy > /etc/caddy/Caddyfile',
    '<%= config.bin %> <%= command.id %> nginx > /etc/nginx/conf.d/names.conf',
    '<%= config.bin %> <%= command.id %> nginx --relay-host relay.example --relay-upstream 127.0.0.1:8008',
    '<%= config.bin %> <%= command.id %> caddy --daemon relay --config /etc/grinpay/relay.toml',
  ]
  static override enableJsonFlag = true
  static override args = { program: Args.option({ options: PROGRAMS })({ required: true, description: 'which proxy' }) }
  static override flags = {
    'env-file': Flags.string({ description: 'settings of the name authority', helpValue: 'FILE' }),
    daemon: Flags.option({ options: ['nameauth', 'relay'] as const, default: 'nameauth' as const })({
      description: 'in front of the name authority with its relay, or of a relay that needs nobody beside it',
    }),
    config: Flags.string({
      description: 'settings of the relay; tells where it listens, and its host',
      helpValue: 'FILE',
    }),
    'relay-upstream': Flags.string({
      description: 'where the relay listens, unless its settings tell; default 127.0.0.1:7777',
      helpValue: 'HOST:PORT',
    }),
    'relay-host': Flags.string({
      description: 'host of the relay, when it is not that of the names',
      helpValue: 'HOST',
    }),
    split: Flags.boolean({ description: 'the authority has a host of its own' }),
    listen: Flags.string({ description: 'listen on this address alone; default all, IPv4 and IPv6', helpValue: 'IP' }),
    certificate: Flags.string({ description: 'PEM file with the chain', helpValue: 'FILE', dependsOn: ['key'] }),
    key: Flags.string({ description: 'PEM file with its key', helpValue: 'FILE', dependsOn: ['certificate'] }),
  }

  async run() {
    const { args, flags } = await this.parse(ConfigProxy)
    const { listen, config } = flags
    const certificate = flags.certificate && flags.key ? { chain: flags.certificate, key: flags.key } : undefined
    const wanted: Wanted = { program: args.program, listen, certificate, config }
    const { placement, text } =
      flags.daemon === 'relay'
        ? await this.forRelay(wanted)
        : await this.forNames(wanted, {
            envFile: flags['env-file'],
            split: flags.split,
            relayHost: flags['relay-host'],
            relayUpstream: flags['relay-upstream'],
          })
    this.log(text.trimEnd())
    return { program: args.program, placement, text }
  }

  private async forRelay({ program, config, ...rest }: Wanted) {
    const { readRelayProxySettings } = await openProxySettings()
    const { renderRelayProxy } = await import('../../wizard/index.js')
    return { placement: 'relay', text: renderRelayProxy(program, { ...readRelayProxySettings(config), ...rest }) }
  }

  private async forNames({ program, config, ...rest }: Wanted, told: NamesFlags) {
    const { readProxySettings, readRelayProxySettings } = await openProxySettings()
    const { publicRelay, renderProxy } = await import('../../wizard/index.js')
    const { colocated, ...settings } = readProxySettings(told.envFile)
    const relay = config === undefined ? undefined : readRelayProxySettings(config)
    const host = relay && relay.relayUrls.length > 0 ? publicRelay(relay.relayUrls).host : undefined
    const relayHost = told.relayHost ?? (host === settings.domain ? undefined : host)
    const wishes: ProxyWishes = {
      ...settings,
      ...rest,
      relayHost,
      placement: told.split || relayHost !== undefined || !colocated ? 'split' : 'colocated',
      relayUpstream: told.relayUpstream ?? (relay ? hostPort(relay.bind.host, relay.bind.port) : USUAL_RELAY),
    }
    const text = renderProxy(program, wishes)
    if (wishes.placement === 'split' && relayHost === undefined)
      this.say('note: only the host of the authority is in it; --relay-host adds that of the relay')
    return { placement: wishes.placement, text }
  }
}
