// The three daemons by the names that flags, archives and metrics use. What each one is: config/daemons.ts.

/** The till, the name authority and the relay. */
export const DAEMON_NAMES = ['pay', 'nameauth', 'relay'] as const
export type DaemonName = (typeof DAEMON_NAMES)[number]

export const isDaemonName = (text: string | undefined): text is DaemonName => DAEMON_NAMES.some((name) => name === text)
