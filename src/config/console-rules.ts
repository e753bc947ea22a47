// What holds for the console of each daemon: sign-in over an open network needs TLS, a cookie is shared by all that a host serves, and
// loopback names are this machine's own.
import type { SettingRule } from './reader.js'
import { given, optional } from './setting.js'
import * as as from './values.js'

/** The settings of a console, under the same keys in the table of each daemon. */
interface ConsoleValues {
  readonly console: boolean
  readonly consoleBind: as.Bind
  readonly consoleUrl: string | undefined
  readonly trustedProxies: readonly string[]
}

/** `PREFIX_CONSOLE`, `_BIND` and `_URL`. */
export const consoleSettings = <Prefix extends string>(prefix: Prefix, bind: string) => ({
  console: given(`${prefix}_CONSOLE`, 'off', as.onOff, { about: 'on: pages for you and your staff in a browser.' }),
  consoleBind: given(`${prefix}_CONSOLE_BIND`, bind, as.bind, {
    about: `Console listener, host:port; another address than loopback needs an https ${prefix}_CONSOLE_URL.`,
  }),
  consoleUrl: optional(`${prefix}_CONSOLE_URL`, as.wholeHost, {
    about: 'Public address of the console, with a host of its own and no path. Unset: http://localhost.',
  }),
})

/** What messages call them, and what of the daemon's other settings counts. */
interface ConsoleNames<Values> {
  /** `PAY_CONSOLE`. */
  readonly on: string
  readonly bind: string
  readonly url: string
  /** Of the trusted proxies when there is none: `PAY_TRUSTED_PROXIES is empty`. */
  readonly noProxies: string
  /** The daemon's other listeners, and what messages call them. */
  readonly listeners: string
  readonly bindsOf: (values: Partial<Values>) => readonly (as.Bind | undefined)[]
  /** The setting with the host that the daemon serves, and that host in small letters. */
  readonly served: string
  readonly servedHostOf: (values: Partial<Values>) => string | undefined
}

export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|localhost|\[?::1\]?)$/.test(host)
export const hostOf = (url: string): string => new URL(url).hostname
/** 0 is a free port. */
const isSamePort = (a: as.Bind, b: as.Bind | undefined): boolean => a.port !== 0 && a.port === b?.port

const isHttps = (url: string | undefined): boolean => url?.startsWith('https:') === true

export const consoleRules = <Values extends ConsoleValues>(
  names: ConsoleNames<Values>,
): readonly SettingRule<Values>[] => [
  {
    setting: 'consoleBind',
    refusal: `${names.bind} is not of this machine only: ${names.url} must be the https address of a proxy before it`,
    breaks: ({ console, consoleBind, consoleUrl }: Partial<ConsoleValues>) =>
      console === true && consoleBind !== undefined && !isLoopback(consoleBind.host) && !isHttps(consoleUrl),
  },
  {
    setting: 'consoleBind',
    refusal: `${names.bind} and ${names.listeners} are the same port`,
    breaks: (values: Partial<Values>) => {
      const { console, consoleBind }: Partial<ConsoleValues> = values
      return (
        console === true &&
        consoleBind !== undefined &&
        names.bindsOf(values).some((one) => isSamePort(consoleBind, one))
      )
    },
  },
  {
    setting: 'consoleUrl',
    refusal: `${names.url} must begin with https://; http:// is for localhost only`,
    breaks: ({ consoleUrl }: Partial<ConsoleValues>) =>
      consoleUrl?.startsWith('http:') === true && !isLoopback(hostOf(consoleUrl)),
  },
  {
    setting: 'consoleUrl',
    refusal: `${names.url} and ${names.served} have the same host: give the console a host of its own`,
    breaks: (values: Partial<Values>) => {
      const { consoleUrl }: Partial<ConsoleValues> = values
      const host = consoleUrl === undefined ? undefined : hostOf(consoleUrl)
      return host !== undefined && !isLoopback(host) && host === names.servedHostOf(values)
    },
  },
]

export const consoleRemarks = <Values extends ConsoleValues>(
  names: Pick<ConsoleNames<Values>, 'on' | 'url' | 'noProxies'>,
): readonly SettingRule<Values>[] => [
  {
    setting: 'console',
    refusal: `${names.url} is set but ${names.on} is off: there is no console`,
    breaks: ({ console, consoleUrl }: Partial<ConsoleValues>) => console === false && consoleUrl !== undefined,
  },
  {
    setting: 'trustedProxies',
    refusal: `${names.noProxies}: behind the proxy of ${names.url} all sign-ins count as from one address, and are listed so`,
    breaks: ({ console, consoleUrl, trustedProxies }: Partial<ConsoleValues>) =>
      console === true && isHttps(consoleUrl) && trustedProxies?.length === 0,
  },
]
