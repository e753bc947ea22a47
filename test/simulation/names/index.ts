// The kind `names` of `npm run simulate`.
import type { World } from '../world.js'
import { liveNamesWorld, NAME_ACTORS, NAME_FAULTS } from './world.js'

export const namesWorld: World = {
  kind: 'names',
  faults: NAME_FAULTS,
  actors: NAME_ACTORS,
  run: (seed, options) => liveNamesWorld({ ...options, seed }),
}
