import { Args, Flags } from '@oclif/core'
import { BaseCommand, openProxySettings } from '../../cli/index.js'
import type { ProxyWishes } from '../../wizard/index.js'

const PROGRAMS = ['caddy', 'nginx'] as const

export default class ConfigProxy extends BaseCommand {
  static override summary = 'print the configuration of a proxy in front of the name authority'
  static override description =
    'With TLS, for one host that relay and names share: names are passed to the authority, everything else to the relay. With --split or --relay-host, or NAMEAUTH_AUTHORITY_COLOCATED=off, the authority has a host of its own, and of it the host of the relay carries the document /.well-known/nostr.json alone. Nothing is written.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> caddy > /etc/caddy/Caddyfile',
    '<%= config.bin %> <%= command.id %> nginx > /etc/nginx/conf.d/names.conf',
    '<%= config.bin %> <%= command.id %> nginx --relay-host relay.example --relay-upstream 127.0.0.1:8008',
  ]
  static override enableJsonFlag = true
  static override args = { program: Args.option({ options: PROGRAMS })({ required: true, description: 'which proxy' }) }
  static override flags = {
    'env-file': Flags.string({ description: 'settings of the name authority', helpValue: 'FILE' }),
    'relay-upstream': Flags.string({
      description: 'where the relay listens',
      default: '127.0.0.1:7777',
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
    const { readProxySettings } = await openProxySettings()
    const { renderProxy } = await import('../../wizard/index.js')
    const { colocated, ...settings } = readProxySettings(flags['env-file'])
    const relayHost = flags['relay-host']
    const wishes: ProxyWishes = {
      ...settings,
      relayHost,
      placement: flags.split || relayHost !== undefined || !colocated ? 'split' : 'colocated',
      relayUpstream: flags['relay-upstream'],
      listen: flags.listen,
      certificate: flags.certificate && flags.key ? { chain: flags.certificate, key: flags.key } : undefined,
    }
    const text = renderProxy(args.program, wishes)
    if (wishes.placement === 'split' && relayHost === undefined)
      this.say('note: only the host of the authority is in it; --relay-host adds that of the relay')
    this.log(text.trimEnd())
    return { program: args.program, placement: wishes.placement, text }
  }
}
