export { childSecret, deriveChild, endpubContext, invoiceContext } from './child-key.js'
export { freshSecret, isSecretKey, isSignedBy, publicKeyOf, sharedX, signDigest, signDigestWith } from './key-pair.js'
export { type SignatureCheck, SLOW_SIGNATURES, signatureCheck, verify as isSignature } from './schnorr.js'
