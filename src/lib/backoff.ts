// Waiting longer after each failure.

/** min(base × 2^(failures − 1), most), in the unit of `base`; `failures` counts from 1. */
export const backoff = (failures: number, base: number, most: number): number =>
  Math.min(base * 2 ** Math.min(failures - 1, 60), most)
