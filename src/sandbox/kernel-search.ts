// After it found a kernel, a node looks for its block by halving the asked range, and trips over heights it does not have.

/**
 * The height at which a node's search fails, or undefined when it reaches the kernel's block.
 * Specification: grin-network.md 2, "max_height above the tip".
 */
export function kernelHeightFailure(
  kernelHeight: number,
  tip: number,
  min: number | null,
  max: number | null,
): number | undefined {
  let low = Math.max(0, (min ?? 0) - 1)
  let high = max ?? tip
  while (low < high) {
    const middle = high - Math.floor((high - low) / 2)
    if (middle > tip) return middle
    if (middle === kernelHeight) return undefined
    if (middle < kernelHeight) low = middle
    else high = middle - 1
  }
  return undefined
}
