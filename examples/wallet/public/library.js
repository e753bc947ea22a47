// The one place that knows where the library is: serve.mjs serves its bundle for browsers below grin/.
export { amount, createProver, keychain, slate, slatepack, vault, wallet } from './grin/grin.js'
