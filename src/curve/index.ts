// Fast secp256k1: its field, square roots, and sums of multiples of points. grin and nostr sign and prove with it.
export { type Affine, modP, P } from './field.js'
export { N, type Scalar } from './order.js'
export { type CurvePoint, lift, Point } from './point.js'
export { createSecretProducts } from './secret-products.js'
export { isResidue } from './square-root.js'
export { createPointSums, type PointSums } from './sums/point-sums.js'
