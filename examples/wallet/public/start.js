// Before there is a wallet: make one, restore one, unlock the one that is here.
import { CHAINS, checkNodeUrl, Refusal } from './chains.js'
import { all, find, make, onSubmit } from './dom.js'
import { keychain } from './library.js'
import { makeVault, openVault, readVault } from './stored.js'

const ASKED = 3

/** The fields that a new and a restored wallet share. */
function addSettings(form) {
  const place = find('[data-template=wallet-settings]', form)
  place.replaceChildren(find('template#wallet-settings').content.cloneNode(true))
  const { chain, nodeUrl } = form.elements
  chain.append(...Object.entries(CHAINS).map(([value, { name }]) => make('option', { value, text: name })))
  const useDefault = () => {
    nodeUrl.value = CHAINS[chain.value].nodeUrl
  }
  chain.addEventListener('change', useDefault)
  useDefault()
}

/** Stores the vault of a seed. Throws a Refusal, also when this browser has a wallet by now. */
async function storeWallet(seed, { chain, nodeUrl, passphrase, again }, restoring) {
  if (passphrase !== again) throw new Refusal('The passphrases differ.')
  const url = checkNodeUrl(nodeUrl)
  if (await readVault()) throw new Refusal('This browser has a wallet already. Reload the page to unlock it.')
  const settings = { nodeUrl: url, restoring }
  const opened = await makeVault(passphrase, { seed, chainType: chain, settings })
  await navigator.storage?.persist?.()
  return opened
}

/** Different places, in order. */
function drawPlaces(count) {
  const places = new Set()
  while (places.size < ASKED) places.add(crypto.getRandomValues(new Uint32Array(1))[0] % count)
  return [...places].sort((a, b) => a - b)
}

function prepareMake(enter) {
  const form = find('#make-form')
  let seed
  let words = []
  let places = []

  function showWords() {
    seed = keychain.newSeed()
    words = keychain.mnemonicFromEntropy(seed).split(' ')
    find('#new-words').replaceChildren(...words.map((text) => make('li', { text })))
    find('#make-words').hidden = false
    form.hidden = true
  }
  function askWords() {
    places = drawPlaces(words.length)
    const fields = places.map((place) =>
      make(
        'label',
        { text: `Word ${place + 1} ` },
        make('input', {
          name: `word${place}`,
          required: '',
          autocapitalize: 'none',
          autocomplete: 'off',
          spellcheck: 'false',
        }),
      ),
    )
    find('#asked-words').replaceChildren(...fields)
    find('#new-words').replaceChildren()
    find('#make-words').hidden = true
    form.hidden = false
    find('input', form).focus()
  }
  function forget() {
    seed?.fill(0)
    words = []
    find('#new-words').replaceChildren()
    find('#asked-words').replaceChildren()
  }

  find('#words-written').addEventListener('click', askWords)
  find('#words-again').addEventListener('click', showWords)
  onSubmit(form, async (fields) => {
    const wrong = places.find((place) => fields[`word${place}`].trim().toLowerCase() !== words[place])
    if (wrong !== undefined) throw new Refusal(`Word ${wrong + 1} is another one. Look at your paper.`)
    const opened = await storeWallet(seed, fields, false)
    forget()
    await enter(opened)
    form.reset()
  })
  return { showWords, forget }
}

/** `enter` gets the opened vault. Answers how to show a view of this part. */
export function prepareStart(enter) {
  for (const form of [find('#make-form'), find('#restore-form')]) addSettings(form)
  const making = prepareMake(enter)

  onSubmit(find('#restore-form'), async (fields) => {
    const words = fields.words.trim().toLowerCase()
    const fault = keychain.mnemonicFault(words)
    if (fault !== undefined) throw new Refusal(`The text ${fault}.`)
    const opened = await storeWallet(keychain.entropyFromMnemonic(words), fields, true)
    find('#restore-form').reset()
    await enter(opened)
  })
  onSubmit(find('#unlock-form'), async ({ passphrase }) => {
    const opened = await openVault(passphrase)
    find('#unlock-form').reset()
    await enter(opened)
  })

  return {
    views: ['start', 'make', 'restore', 'unlock'],
    show(view) {
      if (view === 'make') making.showWords()
      else making.forget()
      for (const field of all('#unlock-form input')) field.focus()
    },
  }
}
