// The last screen: what to type next, and the three values for the shop.
import type { TillPlaces } from '../../system/index.js'
import { type ProxyHere, proxyCommands } from '../proxy-here.js'
import { type PasswordKeeping, passwordFiles } from './unit.js'

/** Of all three daemons. */
export const RESTART = 'Restart; one that runs has the old settings until then:'

export interface FinalParts {
  readonly places: TillPlaces
  readonly machineWide: boolean
  readonly settings: ReadonlyMap<string, string>
  readonly keeping: PasswordKeeping
  /** What others have to do. */
  readonly needs: readonly string[]
  readonly proxy: ProxyHere
  /** It was set up already: a daemon may run with the old settings. */
  readonly isChange: boolean
  /** Settings that hold a secret nobody has seen yet. */
  readonly fresh: ReadonlySet<string>
}

export function finalText(parts: FinalParts): string {
  const needs =
    parts.needs.length > 0 ? ['First, for payments to the grin1 address:', ...parts.needs.map(indented), ''] : []
  return [...shopLines(parts), '', ...needs, ...startLines(parts), '', ...proxyLines(parts), ...checkLines(parts)].join(
    '\n',
  )
}

const indented = (line: string): string => `  ${line}`

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

function startLines({ places, machineWide, keeping, isChange }: FinalParts): readonly string[] {
  if (!machineWide) {
    const password = keeping === 'manual' ? ['  (PAY_WALLET_PASSWORD_FILE must name the password at every start)'] : []
    return [isChange ? RESTART : 'Start:', ...password, `  grinpay serve pay --settings ${places.envFile}`]
  }
  const { manual } = passwordFiles(places)
  const typed =
    keeping === 'manual'
      ? [`  install -d -m 0700 /run/grinpay && systemd-ask-password > ${manual}   # after every boot`]
      : []
  const verb = isChange ? 'restart' : 'enable --now'
  return [isChange ? RESTART : 'Start:', ...typed, '  systemctl daemon-reload', `  systemctl ${verb} grinpay-pay`]
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
  return ['Proxy in front:', ...commands.map(indented), '']
}
