export { authEvent, type Challenge } from './auth.js'
