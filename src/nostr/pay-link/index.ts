export { formatPayLink, type PayLink, percentEncode, scanText } from './pay-link.js'
