// The worlds that there are; each is loaded only when it is asked for.
import type { Kind, World } from './world.js'

export const WORLDS: Readonly<Partial<Record<Kind, () => Promise<World>>>> = {
  names: async () => (await import('./names/index.js')).namesWorld,
  till: async () => (await import('./till/index.js')).tillWorld,
  wallet: async () => (await import('./wallet/index.js')).walletWorld,
}
