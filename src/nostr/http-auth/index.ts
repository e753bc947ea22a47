export { checkHttpAuth, MAX_AHEAD_SECONDS, type ProvenRequest, type RequestToCheck } from './check.js'
export { httpAuthHeader, type RequestToSign } from './header.js'
