export type * from './ports.js'
export type * from './settings.js'
