// Which proxy is on this machine, and the commands that put it in front of a daemon.
import { existsSync } from 'node:fs'
import type { DaemonName } from '../config/index.js'

const PROGRAMS = ['caddy', 'nginx'] as const
export type ProxyHere = (typeof PROGRAMS)[number] | undefined

/** The one that is installed, by its folder. */
export const proxyHere = (): ProxyHere => PROGRAMS.find((name) => existsSync(`/etc/${name}`))

/** One command for the proxy that is there, else one for each; `settings` is the flag that names the settings, or empty. */
export function proxyCommands(daemon: DaemonName, settings: string, here: ProxyHere): readonly string[] {
  const verb = settings === '' ? 'install' : 'print'
  return (here === undefined ? PROGRAMS : [here]).map(
    (kind) => `grinpay proxy ${verb} --kind ${kind} --daemon ${daemon}${settings}`,
  )
}
