export * from './policy/index.js'
export type * from './ports.js'
export type * from './settings.js'
export * from './routes/index.js'
