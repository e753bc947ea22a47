// The last screen of every setup: what others have to do, how the daemon is started, and the commands that put a proxy in front of it.
import { existsSync } from 'node:fs'
import type { DaemonName } from '../config/index.js'

export interface StartParts {
  readonly daemon: DaemonName
  readonly settingsFile: string
  readonly machineWide: boolean
  /** It was set up already: a daemon may run with the old settings. */
  readonly isChange: boolean
  /** Lines that come before the start. */
  readonly first?: readonly string[]
}

export function startLines({ daemon, settingsFile, machineWide, isChange, first = [] }: StartParts): readonly string[] {
  const title = isChange ? 'Restart; one that runs has the old settings until then:' : 'Start:'
  const commands = machineWide
    ? ['systemctl daemon-reload', `systemctl ${isChange ? 'restart' : 'enable --now'} grinpay-${daemon}`]
    : [`grinpay serve ${daemon} --settings ${settingsFile}`]
  return titled(title, [...first, ...commands])
}

/** Each line of them two columns to the right, below a title; nothing without any. */
export const titled = (title: string, texts: readonly string[]): readonly string[] =>
  texts.length === 0 ? [] : [title, ...texts.flatMap((text) => text.split('\n').map((line) => `  ${line}`))]

/** Blocks of lines, with an empty line between them. */
export const screenOf = (blocks: readonly (readonly string[])[]): string =>
  blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')

const PROGRAMS = ['caddy', 'nginx'] as const
export type ProxyHere = (typeof PROGRAMS)[number] | undefined

/** The proxy that is installed on this machine, by its folder. */
export const proxyHere = (): ProxyHere => PROGRAMS.find((name) => existsSync(`/etc/${name}`))

/** One command for the proxy that is there, else one for each; `settings` is the flag that names the settings, or empty. */
export function proxyCommands(daemon: DaemonName, settings: string, here: ProxyHere): readonly string[] {
  const verb = settings === '' ? 'install' : 'print'
  return (here === undefined ? PROGRAMS : [here]).map(
    (kind) => `grinpay proxy ${verb} --kind ${kind} --daemon ${daemon}${settings}`,
  )
}
