export { formatPayLink, percentEncode, scanText } from './pay-link.js'
