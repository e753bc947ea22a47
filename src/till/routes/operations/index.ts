// Every route of the till as data: the OpenAPI document is made from it, and a test compares it with what is mounted.
import type { Operation } from '../../../http/index.js'
import { ADMIN } from './admin.js'
import { CHECKOUT } from './checkout.js'
import { SERVICE } from './service.js'
import { INVOICES, PAYMENTS } from './shop.js'
import { USERS } from './users.js'
import { WEBHOOKS } from './webhooks.js'

export const OPERATIONS: readonly Operation[] = [
  ...INVOICES,
  ...PAYMENTS,
  ...CHECKOUT,
  ...ADMIN,
  ...USERS,
  ...WEBHOOKS,
  ...SERVICE,
]
