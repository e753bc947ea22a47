// The version of the package.

/** The version of `@grinpay/grin`, as in its package.json. */
export const version = '0.1.0'
