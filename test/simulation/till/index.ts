// The kind `till` of `npm run simulate`.
import type { World } from '../world.js'
import { FAULTS, liveTillWorld } from './world.js'

export const tillWorld: World = {
  kind: 'till',
  faults: FAULTS,
  actors: [],
  run: (seed, options) => liveTillWorld({ ...options, seed }),
}
