// What a till needs at its start although settings are valid without it: commands on a running till do not need it.
import type { Environment } from './env.js'
import { PAY_SETTINGS } from './pay-settings.js'
import type { SettingProblem } from './problem.js'
import { resolveSetting } from './resolve.js'

/** `isHandedOver`: a unit of this machine gives that setting to the till as a credential. */
export function missingAtStart(
  environment: Environment,
  isHandedOver: (setting: string) => boolean,
): readonly SettingProblem[] {
  const { walletPassword } = PAY_SETTINGS
  const { name: setting } = walletPassword
  if (resolveSetting(environment, walletPassword).outcome !== 'unset' || isHandedOver(setting)) return []
  const text = `${setting} is not set, and no unit hands it over: the till does not start without it; name its file as ${setting}_FILE`
  return [{ setting, text }]
}
