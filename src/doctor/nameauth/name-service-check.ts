// The unit of the name authority, and the nightly copies.
import { settingGroups } from '../../config/index.js'
import { namedSecrets } from '../named-secrets.js'
import { serviceFindings } from '../service-check.js'
import type { NameCheck } from './context.js'

export const nameServiceCheck: NameCheck = {
  name: 'service',
  limitMs: 10_000,
  applies: () => true,
  async run({ environment, services, clock }) {
    const secrets = namedSecrets(environment, settingGroups('nameauth'))
    return serviceFindings({ daemon: 'nameauth', settingsFile: environment.envFile, secrets, services, clock })
  },
}
