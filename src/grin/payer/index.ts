export { payI1, payI1With } from './pay-invoice.js'
export {
  createS1,
  createS1With,
  finalizeS2,
  type PendingPayment,
} from './send.js'
export { type Coin, planSpend, type Spend } from './spend.js'
