export type * from './api.js'
export type * from './model.js'
export type * from './ports.js'
