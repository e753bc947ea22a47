// People who sell names to each other: offers, payments on a chain, proofs; also the dishonest among them.
import { claim, pause, put, type World } from './name-load.js'
import { aRareName, asksOf, chance, type Deal, newDeal, newExcess, newPerson, type Person } from './name-people.js'
import { TIP } from './name-standins.js'

/** A name that goes from hand to hand. */
interface Chain {
  holder: Person
  spent: string | undefined
}

const newChain = (): Chain => ({ holder: newPerson(), spent: undefined })

/** An offer that lies with the authority; undefined: there is none, and the chain begins anew. */
async function offered(world: World, chain: Chain): Promise<Deal | undefined> {
  const { holder } = chain
  if (holder.name === undefined && !(await claim(world, holder, aRareName()))) return undefined
  const deal = newDeal(holder, newPerson(), holder.name ?? '')
  const answer = await put(world, asksOf(world.log).lodge(deal))
  if (answer?.status === 201) return deal
  // Whether the offer exists is not known, or the name is gone: another dealer goes on.
  chain.holder = newPerson()
  return undefined
}

/** The buyer asks twice at once; `true`: the name is the buyer's. */
async function bought(world: World, chain: Chain, deal: Deal, excess: string): Promise<boolean> {
  const asks = asksOf(world.log)
  const buys = [asks.buy(deal, excess), ...(chance(0.5) ? [asks.buy(deal, excess)] : [])]
  const answers = await Promise.all(buys.map((one) => put(world, one)))
  const isSold = answers.some((answer) => answer?.status === 201 || answer?.status === 200)
  if (!isSold) return false
  deal.buyer.name = deal.name
  chain.holder = deal.buyer
  chain.spent = excess
  return true
}

/** What stands in the way of an honest sale now and then. */
async function meanwhile(world: World, deal: Deal): Promise<void> {
  const asks = asksOf(world.log)
  const fate = Math.random()
  if (fate < 0.1) await put(world, asks.revoke(deal))
  else if (fate < 0.16) await put(world, asks.release(deal.seller, deal.name))
  else if (fate < 0.22) await claim(world, deal.buyer, aRareName())
}

async function sell(world: World, chain: Chain): Promise<void> {
  const deal = await offered(world, chain)
  if (!deal) return
  const { kernels } = world.log
  // A payment of an earlier sale, with a proof that both signed anew.
  if (chain.spent !== undefined && chance(0.2)) await bought(world, chain, deal, chain.spent)
  const excess = newExcess()
  if (chance(0.2)) await bought(world, chain, deal, excess)
  kernels.set(excess, TIP - 10)
  const [isSold] = await Promise.all([bought(world, chain, deal, excess), meanwhile(world, deal)])
  if (isSold) return
  if (!(await bought(world, chain, deal, excess))) Object.assign(chain, newChain())
}

/** One payment for two names at once. */
async function sellTwice(world: World, one: Chain, other: Chain): Promise<void> {
  const [first, second] = await Promise.all([offered(world, one), offered(world, other)])
  if (!first || !second) return
  const excess = newExcess()
  world.log.kernels.set(excess, TIP - 20)
  await Promise.all([bought(world, one, first, excess), bought(world, other, second, excess)])
}

/** Runs until `stop`. */
export async function keepDealing(world: World): Promise<void> {
  await Promise.all(
    [0, 1].map(async () => {
      const [one, other] = [newChain(), newChain()]
      while (!world.stop.aborted) {
        if (chance(0.25)) await sellTwice(world, one, other)
        else await sell(world, chance(0.5) ? one : other)
        await pause(world.pace * Math.random())
      }
    }),
  )
}
