export { checkHttpAuth, MAX_AHEAD_SECONDS, type ProvenRequest } from './check.js'
export { httpAuthHeader } from './header.js'
