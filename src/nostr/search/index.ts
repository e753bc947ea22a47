export { isFound, parseSearch, type Search } from './search.js'
export { holdsInTitle, holdsTerms, inTitle, searchTermsOf } from './terms.js'
