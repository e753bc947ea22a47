export { holdsInTitle, holdsTerms, inTitle, isFound, parseSearch, type Search, searchTermsOf } from './terms.js'
