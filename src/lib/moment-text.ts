/** `YYYY-MM-DDTHH:MM:SSZ` of epoch milliseconds, whole seconds. */
export const momentText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
