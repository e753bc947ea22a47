export { AUTH_KIND, authEvent } from './auth.js'
