export { makeSecret } from './make.js'
export { type Rotation, rotateSecret } from './rotate.js'
