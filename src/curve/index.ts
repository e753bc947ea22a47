// Fast secp256k1: its field, square roots, and sums of multiples of points. grin and nostr sign and prove with it.
export { type Affine, modP, N, P, type Scalar } from './field.js'
export { type CurvePoint, isResidue, lift, Point } from './point.js'
export { createSecretProducts } from './secret-products.js'
export { createPointSums, type PointSums } from './sums/point-sums.js'
