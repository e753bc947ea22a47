// The last screen: what to type next, and the three values for the shop.
import type { Places } from '../../system/index.js'
import { indented, type ProxyHere, proxyCommands, startLines } from '../last-screen.js'
import { type PasswordKeeping, passwordFiles } from './unit.js'

export interface FinalParts {
  readonly places: Places
  readonly machineWide: boolean
  readonly settings: ReadonlyMap<string, string>
  readonly keeping: PasswordKeeping
  /** What others have to do. */
  readonly needs: readonly string[]
  readonly proxy: ProxyHere
  /** It was set up already: a daemon may run with the old settings. */
  readonly isChange: boolean
  /** Settings with a new secret, which is shown once. */
  readonly fresh: ReadonlySet<string>
}

export function finalText(parts: FinalParts): string {
  const { places, machineWide, isChange, keeping } = parts
  const first = keeping === 'manual' ? manualLines(parts) : []
  const start = startLines({ daemon: 'pay', settingsFile: places.envFile, machineWide, isChange, first })
  const needs =
    parts.needs.length > 0 ? ['First, for payments to the grin1 address:', ...parts.needs.flatMap(indented), ''] : []
  return [...shopLines(parts), '', ...needs, ...start, '', ...proxyLines(parts), ...checkLines(parts)].join('\n')
}

function shopLines({ settings, fresh, places }: FinalParts): readonly string[] {
  const kept = (name: string) => `as before, in ${settings.get(`${name}_FILE`) ?? places.envFile}`
  const value = (name: string) => (fresh.has(name) ? (settings.get(name) ?? kept(name)) : kept(name))
  const hook = settings.get('PAY_WEBHOOK_URL')
  return [
    'For the shop:',
    `  address         ${settings.get('PAY_PUBLIC_URL')}`,
    // On lines of their own: they are copied.
    '  API token',
    `    ${value('PAY_API_TOKEN')}`,
    '  webhook secret',
    `    ${value('PAY_WEBHOOK_SECRET')}`,
    hook === undefined ? '  no webhooks are sent until PAY_WEBHOOK_URL is set' : `  webhooks go to  ${hook}`,
  ]
}

function manualLines({ places, machineWide }: FinalParts): readonly string[] {
  if (!machineWide) return ['(PAY_WALLET_PASSWORD_FILE must name the password at every start)']
  const { manual } = passwordFiles(places)
  return [`install -d -m 0700 /run/grinpay && systemd-ask-password > ${manual}   # after every boot`]
}

function checkLines({ settings, machineWide, places }: FinalParts): readonly string[] {
  return [
    'Then:',
    ...(machineWide ? [] : [`  export GRINPAY_ENV_FILE=${places.envFile}`]),
    '  grinpay doctor                     # each thing with a remedy',
    '  grinpay invoice create 0.1 --qr',
    ...(settings.has('PAY_WEBHOOK_URL') ? ['  grinpay webhook test'] : []),
  ]
}

/** Nothing when the till is reached directly. */
function proxyLines({ settings, machineWide, places, proxy }: FinalParts): readonly string[] {
  if (!settings.get('PAY_PUBLIC_URL')?.startsWith('https://')) return []
  const commands = proxyCommands('pay', machineWide ? '' : ` --settings ${places.envFile}`, proxy)
  return ['Proxy in front:', ...commands.flatMap(indented), '']
}
