export { authEvent } from './auth.js'
