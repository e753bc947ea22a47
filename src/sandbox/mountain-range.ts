// Grin numbers outputs and kernels by their place in a Merkle mountain range: leaves and inner nodes share one count.

function ones(value: number): number {
  let count = 0
  for (let rest = value; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2
  return count
}

/** Nodes of a range with this many leaves. */
export const rangeSize = (leaves: number): number => 2 * leaves - ones(leaves)

/** 1-based position of the leaf that follows `before` others. */
export const leafPosition = (before: number): number => rangeSize(before) + 1
