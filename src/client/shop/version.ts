// The version of the package.

/** The version of `@grinpay/client`, as in its package.json. */
export const version = '0.1.0'
