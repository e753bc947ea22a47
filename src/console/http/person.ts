// Who is signed in, as the frame shows it, with the form that signs out.
import { asHtml, type Html } from '../html.js'
import type { Role } from '../sign-in/roles.js'
import type { SignedIn } from '../sign-in/sign-in.js'
import { sealOf } from '../sign-in/tokens.js'
import { TOKEN_FIELD } from './ui.js'

export const SIGN_OUT = '/sign-out'

export const personFor = ({
  session: { name, role },
  cookie,
}: SignedIn): { readonly name: string; readonly role: Role; readonly signOut: Html } => ({
  name,
  role,
  signOut: asHtml(`<input type="hidden" name="${TOKEN_FIELD}" value="${sealOf(cookie, 'form', SIGN_OUT)}">`),
})
