// The unit of the till, and the nightly copies.
import { settingGroups } from '../../config/index.js'
import type { Check } from '../check.js'
import { namedSecrets } from '../named-secrets.js'
import { serviceFindings } from '../service-check.js'

export const payServiceCheck: Check = {
  name: 'service',
  limitMs: 10_000,
  applies: () => true,
  async run({ environment, services, clock }) {
    const secrets = namedSecrets(environment, settingGroups('pay'))
    return serviceFindings({ daemon: 'pay', settingsFile: environment.envFile, secrets, services, clock })
  },
}
