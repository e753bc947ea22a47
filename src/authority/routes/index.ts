export { AUTHORITY_APP, type AuthorityHttpOptions, authorityHttp } from './authority-http.js'
