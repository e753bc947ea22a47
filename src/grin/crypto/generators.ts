// The three named generators (specification: grin-crypto, 3). G blinds, H carries amounts, J is the switch key.
import { Point } from './point.js'

export const G = Point.BASE

export const H = Point.fromAffine({
  x: 0x50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0n,
  y: 0x31d3c6863973926e049e637cb1b5f40a36dac28af1766968c30c2313f3a38904n,
})

/** The C sources spell J with both coordinates byte-reversed; these are the true ones. */
export const J = Point.fromAffine({
  x: 0xb860f56795fc03f3c21685383d1b5a2f2954f49b7e398b8d2a0193933621155fn,
  y: 0xa43f09d32caa8f53423f427403a56a3165a5a69a74cf56fc5901a2dca6c5c43an,
})
