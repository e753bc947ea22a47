/** Milliseconds. Rounds of starts and deaths take as long as the machine needs. */
export const ROUNDS_MS = 400_000
