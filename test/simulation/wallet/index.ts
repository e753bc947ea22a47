// The kind `wallet` of `npm run simulate`.
import type { World } from '../world.js'
import { ACTORS, FAULTS, liveWalletWorld } from './world.js'

export const walletWorld: World = { kind: 'wallet', faults: FAULTS, actors: ACTORS, run: liveWalletWorld }
