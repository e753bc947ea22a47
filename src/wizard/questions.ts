// The questions of the three setups alone: a front door of its own, because commands make their flags of them and load nothing else for that.
export { NAMEAUTH_QUESTIONS } from './nameauth/questions.js'
export { PAY_QUESTIONS } from './pay/questions.js'
export { RELAY_QUESTIONS } from './relay/questions.js'
