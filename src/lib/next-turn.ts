// Long work that lets others run in between, in Node as in a page.

/** Resolves in the next turn of the event loop. By a timer: pages have no `setImmediate`. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
