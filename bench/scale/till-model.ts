// A till larger than one machine, calculated from what its requests cost on PostgreSQL. Pure.
import type { Values } from './figures.js'

/** Processor milliseconds of one request: of the till, and of the three database nodes together. */
interface Cost {
  readonly frontEndMs: number
  readonly databaseMs: number
}

export interface TillCosts {
  readonly invoice: Cost
  /** With its first webhook. */
  readonly payment: Cost
  /** One more delivery. */
  readonly webhook: Cost
}

interface TillPlan {
  /** Processors that are busy on average. */
  readonly frontEndCores: number
  readonly databaseCores: number
  readonly machines: number
  readonly euros: number
}

const NODES = 3
const LEAST_TILLS = 2

/** Two invoices for each payment: not every shopper pays. Two webhooks: received, confirmed. */
const INVOICES = 2

/** `payments`: a second. */
export function tillPlan(payments: number, { invoice, payment, webhook }: TillCosts, v: Values): TillPlan {
  const coresOf = (of: keyof Cost) => (payments * (INVOICES * invoice[of] + payment[of] + webhook[of])) / 1000
  const [frontEndCores, databaseCores] = [coresOf('frontEndMs'), coresOf('databaseMs')]
  const tills = Math.max(LEAST_TILLS, Math.ceil(frontEndCores / (v.cores * v.load)))
  return {
    frontEndCores,
    databaseCores,
    machines: tills + NODES,
    euros: tills * v.machineEuros + NODES * v.nodeEuros,
  }
}
