export type * from './api.js'
export type * from './model.js'
export type * from './ports.js'
export type * from './routes/views.js'
