// The last screen: what to type next, and the three values for the shop.
import type { TillPlaces } from '../system/index.js'
import { type ProxyHere, proxyCommands } from './proxy-here.js'
import { type PasswordKeeping, passwordFiles } from './unit.js'

export interface FinalParts {
  readonly places: TillPlaces
  readonly machineWide: boolean
  readonly settings: ReadonlyMap<string, string>
  readonly keeping: PasswordKeeping
  /** What others have to do. */
  readonly needs: readonly string[]
  readonly proxy: ProxyHere
}

export function finalText(parts: FinalParts): string {
  const needs =
    parts.needs.length > 0 ? ['First, for payments to the grin1 address:', ...parts.needs.map(indented), ''] : []
  return [...shopLines(parts), '', ...needs, ...startLines(parts), '', ...proxyLines(parts), ...checkLines(parts)].join(
    '\n',
  )
}

const indented = (line: string): string => `  ${line}`

function shopLines({ settings }: FinalParts): readonly string[] {
  const value = (name: string) => settings.get(name) ?? `in ${settings.get(`${name}_FILE`)}`
  const hook = settings.get('PAY_WEBHOOK_URL')
  return [
    'For the shop:',
    `  address         ${value('PAY_PUBLIC_URL')}`,
    // On lines of their own: they are copied.
    '  API token',
    `    ${value('PAY_API_TOKEN')}`,
    '  webhook secret',
    `    ${value('PAY_WEBHOOK_SECRET')}`,
    hook === undefined ? '  no webhooks are sent until PAY_WEBHOOK_URL is set' : `  webhooks go to  ${hook}`,
  ]
}

function startLines({ places, machineWide, keeping }: FinalParts): readonly string[] {
  if (!machineWide) {
    const password = keeping === 'manual' ? ['  (PAY_WALLET_PASSWORD_FILE must name the password at every start)'] : []
    return ['Start:', ...password, `  grinpay serve pay --env-file ${places.envFile}`]
  }
  const { manual } = passwordFiles(places)
  const typed =
    keeping === 'manual'
      ? [`  install -d -m 0700 /run/grinpay && systemd-ask-password > ${manual}   # after every boot`]
      : []
  return ['Start:', ...typed, '  systemctl daemon-reload', '  systemctl enable --now grinpay-pay']
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
  const commands = proxyCommands('pay', machineWide ? '' : ` --env-file ${places.envFile}`, proxy)
  return ['Proxy in front:', ...commands.map(indented), '']
}
