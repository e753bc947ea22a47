export { payI1, payI1With } from './pay-invoice.js'
export {
  createS1,
  createS1With,
  type FinalizedPayment,
  finalizeS2,
  type PendingPayment,
  type StartedPayment,
} from './send.js'
export { type Coin, planSpend, type Spend } from './spend.js'
