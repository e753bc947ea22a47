// Which of a till's webhook receivers a command is about.
import { Flags } from '@oclif/core'

/** PAY_WEBHOOK_URL is receiver 1, PAY_WEBHOOK_2_URL receiver 2, and so on. */
export const receiverFlag = (description: string) => ({
  receiver: Flags.integer({ description, helpValue: '1-8', min: 1, max: 8 }),
})
