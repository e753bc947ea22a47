export { checkoutPages } from './checkout.js'
export type { CheckoutContext, CheckoutMethod } from './checkout-model.js'
export { landingPage } from './landing.js'
export { createSite, type Site } from './site.js'
