// The last screen: what to type next, what the proxy needs, and how to see that it works.
import { indented, type ProxyHere, proxyCommands, startLines } from '../last-screen.js'
import type { NameauthTarget } from './places.js'

export interface NameauthFinalParts {
  readonly target: NameauthTarget
  readonly settings: ReadonlyMap<string, string>
  /** What others have to do. */
  readonly needs: readonly string[]
  /** It ran already before these settings. */
  readonly isChange: boolean
  readonly proxy: ProxyHere
}

export function nameauthFinalText(parts: NameauthFinalParts): string {
  const { places, machineWide } = parts.target
  const first = parts.needs.length > 0 ? ['First:', ...parts.needs.flatMap(indented), ''] : []
  const blocks = [
    ...first,
    ...startLines({ daemon: 'nameauth', settingsFile: places.envFile, machineWide, isChange: parts.isChange }),
    '',
    ...proxyLines(parts),
    ...tillLines(parts.settings),
  ]
  return [...blocks, '', ...checkLines(parts.settings)].join('\n')
}

/** The whole configuration is a command away; it follows the settings. */
function proxyLines({ target: { places, machineWide }, proxy }: NameauthFinalParts): readonly string[] {
  const commands = proxyCommands('nameauth', machineWide ? '' : ` --settings ${places.envFile}`, proxy)
  return [
    'Proxy in front, on one host with a relay; with --split on a host of its own:',
    ...commands.map((command) => `  ${command}`),
  ]
}

function tillLines(settings: ReadonlyMap<string, string>): readonly string[] {
  if (!settings.has('NAMEAUTH_PAY_WEBHOOK_SECRET_FILE')) return []
  return ['', 'Webhook address, for the till:', `  ${settings.get('NAMEAUTH_BASE_URL')}/api/v1/pay/webhook`]
}

function checkLines(settings: ReadonlyMap<string, string>): readonly string[] {
  const [domain, base] = [settings.get('NAMEAUTH_DOMAIN'), settings.get('NAMEAUTH_BASE_URL')]
  return [
    'Then, from another machine:',
    `  host ${domain}`,
    '      this machine or its proxy',
    `  curl '${base}/.well-known/nostr.json?name=alice'`,
    '      {"names":{},"relays":{}} until alice@ is claimed',
  ]
}
