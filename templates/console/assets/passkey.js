// Makes a passkey for an invitation, or signs in with one. Nothing else on these pages needs a script.
const button = document.querySelector('[data-passkey]')
const message = document.querySelector('[data-message]')

const bytes = (text) => {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0))
}

const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const post = async (path, fields) => {
  const answer = await fetch(`/console/passkey/${path}`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(fields),
  })
  const read = await answer.json()
  if (!answer.ok) throw new Error(read.hint ? `${read.error}. ${read.hint}` : read.error)
  return read
}

const known = (list = []) => list.map((one) => ({ ...one, id: bytes(one.id) }))

const credentialJson = ({ id, type, response }, made) => ({
  id,
  rawId: id,
  type,
  clientExtensionResults: {},
  response: Object.fromEntries(made.filter((name) => response[name]).map((name) => [name, text(response[name])])),
})

const register = async (link) => {
  const options = await post('options', { link })
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: known(options.excludeCredentials),
  }
  const made = await navigator.credentials.create({ publicKey })
  const answer = JSON.stringify(credentialJson(made, ['clientDataJSON', 'attestationObject']))
  return post('register', { link, answer })
}

const signIn = async () => {
  const options = await post('options', {})
  const publicKey = { ...options, challenge: bytes(options.challenge), allowCredentials: known(options.allowCredentials) }
  const found = await navigator.credentials.get({ publicKey })
  const members = ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']
  return post('sign-in', { answer: JSON.stringify(credentialJson(found, members)) })
}

const say = (words) => {
  message.textContent = words
  message.hidden = words === ''
}

if (button) {
  button.hidden = false
  if (!globalThis.PublicKeyCredential) {
    button.disabled = true
    say('This browser has no passkeys.')
  }
  button.addEventListener('click', async () => {
    button.disabled = true
    say('')
    try {
      const { to } = await (button.dataset.passkey ? register(button.dataset.passkey) : signIn())
      location.assign(to)
    } catch (thrown) {
      say(thrown.name === 'NotAllowedError' ? 'Nothing was done. You can try again.' : thrown.message)
      button.disabled = false
    }
  })
}
