export { type PayInput, payI1, payI1With } from './pay-invoice.js'
export {
  createS1,
  createS1With,
  type FinalizeS2Input,
  type FinishedPayment,
  finalizeS2,
  type PendingPayment,
  type SendInput,
  type StartedPayment,
} from './send.js'
export { type Coin, planSpend, type Spend } from './spend.js'
