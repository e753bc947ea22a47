import { Flags } from '@oclif/core'
import { examplesOf } from '../../cli/index.js'
import ProxyPrint from './print.js'

/** Where its files are read from without further ado, and what makes it read them. */
const USUAL = {
  nginx: {
    path: (daemon: string) => `/etc/nginx/conf.d/grinpay-${daemon}.conf`,
    commands: ['nginx -t && systemctl reload nginx'],
  },
  caddy: {
    path: (daemon: string) => `/etc/caddy/grinpay-${daemon}.caddyfile`,
    commands: [
      "echo 'import grinpay-*.caddyfile' >> /etc/caddy/Caddyfile     # once",
      'caddy validate --config /etc/caddy/Caddyfile && systemctl reload caddy',
    ],
  },
} as const

export default class ProxyInstall extends ProxyPrint {
  static override summary = 'write the configuration of a reverse proxy from the settings'
  static override description =
    'Writes what "proxy print" prints, mode 0644, and prints the commands that reload the proxy. The certificates must exist. Refuses to overwrite a file changed by hand (exit 6) unless --force is given; shows the difference.'
  static override aliases: string[] = []
  static override examples = examplesOf('--kind nginx --daemon pay', '--kind caddy --daemon relay --dry-run')
  static override flags = {
    ...ProxyPrint.flags,
    ...ProxyPrint.installFlags,
    to: Flags.string({
      description: 'output file; default /etc/nginx/conf.d/grinpay-DAEMON.conf, /etc/caddy/grinpay-DAEMON.caddyfile',
      helpValue: 'FILE',
    }),
  }

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ProxyInstall)
    const program = this.programOf(flags, args.program)
    const { text } = await this.rendered(program, flags)
    const { installFiles, missingCertificates, requireCertificates } = await import('../../wizard/index.js')
    const usual = USUAL[program]
    const path = flags.to ?? usual.path(flags.daemon)
    if (flags['dry-run'])
      for (const file of missingCertificates(text)) this.note(`${file} is missing: without it nothing is written`)
    else requireCertificates(text)
    const files = [{ path, about: 'the configuration of the proxy', text }]
    return this.install({ files, commands: usual.commands, notes: [] }, flags, installFiles)
  }
}
