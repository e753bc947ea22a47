export { childSecret, deriveChild, endpubContext, invoiceContext } from './child-key.js'
export { isSecretKey, isSignedBy, publicKeyOf, signDigest } from './key-pair.js'
