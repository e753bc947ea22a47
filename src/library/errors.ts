// Expected failures: errors with a stable `code`. Everything else that is thrown is a RangeError for an argument, or a bug.
export { GrinpayError, hasCode } from '../lib/errors.js'
