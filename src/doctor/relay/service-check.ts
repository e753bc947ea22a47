// The unit of the relay, and the nightly copies.
import { layeredEnvironment, settingGroups } from '../../config/index.js'
import { namedSecrets } from '../named-secrets.js'
import { serviceFindings } from '../service-check.js'
import type { RelayCheck } from './context.js'

export const relayServiceCheck: RelayCheck = {
  name: 'service',
  limitMs: 10_000,
  applies: () => true,
  async run({ sources, services, clock }) {
    const secrets = namedSecrets(layeredEnvironment(sources), settingGroups('relay'))
    return serviceFindings({ daemon: 'relay', settingsFile: sources.file?.path, secrets, services, clock })
  },
}
