// What the password of a new wallet must be: one rule for the wizard, `wallet restore` and a first start with PAY_MNEMONIC.

/** Characters. A wallet that exists opens with the password it has, however short. */
const LEAST_PASSWORD = 8

/** Why this cannot become a wallet password; undefined when it can. Counts characters, not bytes. */
export const weakPassword = (text: string): string | undefined =>
  [...text].length < LEAST_PASSWORD ? `a wallet password has at least ${LEAST_PASSWORD} characters` : undefined
