// Passkeys (WebAuthn): making one for an invitation, and signing in with one. The library is loaded by the first who uses one.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { linkUnusable, passkeyRefused } from '../errors.js'
import type { Link } from '../ports.js'
import type { Challenges } from './challenges.js'
import type { RelyingParty } from './origin.js'
import { refuseLink, type SignedIn, type SignInParts, type Visitor } from './sign-in.js'
import { hashOf, newSessionId, newToken } from './tokens.js'

/** ES256, EdDSA, RS256: what authenticators of phones, computers and keys have. */
const ALGORITHMS = [-7, -8, -257]

const library = () => import('@simplewebauthn/server')

export interface PasskeyParts extends SignInParts {
  readonly challenges: Challenges
  /** Of the console, shown by the browser. */
  readonly siteName: string
}

export type Passkeys = ReturnType<typeof createPasskeys>

/** Answers of browsers are JSON texts; no error says in detail what is wrong with one. */
export function createPasskeys({ store, clock, random, challenges, siteName }: PasskeyParts) {
  const opened = (cookie: string, visitor: Visitor) => ({
    id: newSessionId(random),
    hash: hashOf(cookie),
    now: clock.now(),
    ...visitor,
  })

  return {
    /** What the browser needs to make a passkey for this invitation. */
    async registration({ name }: Link, { rpID }: RelyingParty): Promise<object> {
      const { generateRegistrationOptions } = await library()
      return generateRegistrationOptions({
        rpID,
        rpName: siteName,
        userName: name,
        userID: userIdOf(name),
        challenge: Buffer.from(challenges.make('register'), 'base64url'),
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },
    /** Spends the invitation. Throws CONSOLE_PASSKEY, CONSOLE_LINK_UNUSABLE. */
    async register(token: string, answer: string, party: RelyingParty, visitor: Visitor): Promise<SignedIn> {
      const { verifyRegistrationResponse } = await library()
      const verified = await checked(() =>
        verifyRegistrationResponse({
          response: credentialOf<RegistrationResponseJSON>(answer),
          expectedChallenge: (challenge) => challenges.take(challenge, 'register'),
          expectedOrigin: party.origin,
          expectedRPID: party.rpID,
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      )
      if (!verified.verified) throw passkeyRefused()
      const { id, publicKey, counter } = verified.registrationInfo.credential
      const cookie = newToken(random)
      const passkey = { id: Buffer.from(id, 'base64url'), publicKey, counter }
      const session = await store.addPasskey(hashOf(token), passkey, opened(cookie, visitor))
      if (session === 'taken') throw passkeyRefused()
      if (typeof session === 'string') throw linkUnusable(refuseLink(session))
      return { session, cookie }
    },
    /** What the browser needs to sign in with a passkey of this console. */
    async authentication({ rpID }: RelyingParty): Promise<object> {
      const { generateAuthenticationOptions } = await library()
      return generateAuthenticationOptions({
        rpID,
        challenge: Buffer.from(challenges.make('sign-in'), 'base64url'),
        userVerification: 'required',
      })
    },
    /** Throws CONSOLE_PASSKEY. */
    async signIn(answer: string, party: RelyingParty, visitor: Visitor): Promise<SignedIn> {
      const response = credentialOf<AuthenticationResponseJSON>(answer)
      const id = Buffer.from(response.id, 'base64url')
      const known = id.length > 0 && id.length <= 1023 ? await store.findPasskey(id) : undefined
      if (!known) throw passkeyRefused()
      const { verifyAuthenticationResponse } = await library()
      const verified = await checked(() =>
        verifyAuthenticationResponse({
          response,
          expectedChallenge: (challenge) => challenges.take(challenge, 'sign-in'),
          expectedOrigin: party.origin,
          expectedRPID: party.rpID,
          requireUserVerification: true,
          credential: { id: response.id, publicKey: new Uint8Array(known.publicKey), counter: known.counter },
        }),
      )
      if (!verified.verified) throw passkeyRefused()
      const cookie = newToken(random)
      const session = await store.usePasskey(id, verified.authenticationInfo.newCounter, opened(cookie, visitor))
      if (typeof session === 'string') throw passkeyRefused()
      return { session, cookie }
    },
  }
}

/** The same for every passkey of a person, so that an authenticator replaces the older one. */
const userIdOf = (name: string) => new Uint8Array(Buffer.from(hashOf(`person ${name}`), 'hex').subarray(0, 16))

/** The library throws plain errors for whatever does not fit. */
async function checked<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch {
    throw passkeyRefused()
  }
}

/** The library checks every member that it reads; only what is read here is looked at. Throws CONSOLE_PASSKEY. */
function credentialOf<T extends { readonly id: string }>(answer: string): T {
  const credential = parseJson(answer)
  const { id, response } = membersOf(credential)
  if (typeof id !== 'string' || typeof response !== 'object' || response === null) throw passkeyRefused()
  return credential as T
}
