// The three ways to move coins by paste: receive (S1, S2), send (S1, S2, post), pay an invoice (I1, I2).
import { Refusal, readRecipient } from './chains.js'
import { find, hideReplies, onSubmit, showReply } from './dom.js'
import { amount } from './library.js'
import { expectState, explain, grin } from './words.js'

function readAmount(text) {
  const clean = text.trim().replace(',', '.')
  try {
    const value = amount.parseGrin(clean)
    if (value > 0n) return value
  } catch {}
  throw new Refusal('Write the amount in GRIN, such as 1.5, with at most nine decimals.')
}

/** `session` answers the unlocked wallet; `changed` is called when a verb has changed it. */
export function preparePayments(session, changed) {
  prepareReceive(session, changed)
  prepareSend(session, changed)
  preparePay(session, changed)
}

function prepareReceive(session, changed) {
  const form = find('#receive-form')
  onSubmit(form, async ({ slatepack }) => {
    hideReplies()
    const { wallet } = session()
    expectState(await wallet.read(slatepack), 'S1')
    const reply = await wallet.receive(slatepack)
    showReply('receive', 'Hand this reply (S2) to the sender, who signs and posts the payment:', reply.slatepack)
    form.reset()
    await changed()
    return `You receive ${grin(reply.amount)} GRIN when the sender has posted the payment.`
  })
}

function prepareSend(session, changed) {
  const form = find('#send-form')
  onSubmit(form, async (fields) => {
    hideReplies()
    const { wallet, chain } = session()
    const recipient = readRecipient(fields.recipient)
    const started = await wallet.send({
      amount: readAmount(fields.amount),
      minConfirmations: chain.confirmations,
      ...(recipient && { recipient }),
    })
    showReply('send', 'Hand this slatepack (S1) to the receiver, and paste the reply (S2) below:', started.slatepack)
    form.reset()
    await changed()
    return `The receiver gets ${grin(started.amount)} GRIN, the fee is ${grin(started.fee)} GRIN. Nothing is paid before you sign.`
  })

  const finish = find('#finish-form')
  onSubmit(finish, async ({ slatepack }) => {
    const { wallet, post } = session()
    expectState(await wallet.read(slatepack), 'S2')
    const { slateId } = await wallet.finalize(slatepack)
    finish.reset()
    hideReplies()
    await changed()
    await post(slateId).catch((error) => {
      throw new Refusal(
        `The payment is signed and stored, but not posted: ${explain(error)} Post it again under History.`,
      )
    })
    await changed()
    return 'Signed and posted. It counts when it is in a block.'
  })
}

function preparePay(session, changed) {
  const [form, confirm] = [find('#pay-form'), find('#confirm-form')]
  let invoice
  onSubmit(form, async ({ slatepack }) => {
    hideReplies()
    confirm.hidden = true
    const opened = await session().wallet.read(slatepack)
    expectState(opened, 'I1')
    invoice = slatepack
    find('#invoice-amount').textContent = grin(opened.slate.amount)
    confirm.hidden = false
    find('[type=submit]', confirm).focus()
  })
  onSubmit(confirm, async () => {
    const { wallet, chain } = session()
    const paid = await wallet.pay(invoice, { minConfirmations: chain.confirmations })
    confirm.hidden = true
    form.reset()
    const text = `Hand this answer (I2) to the shop, which posts the payment of ${grin(paid.amount)} GRIN; the fee is ${grin(paid.fee)} GRIN:`
    showReply('pay', text, paid.slatepack)
    await changed()
  })
  confirm.addEventListener('reset', () => {
    confirm.hidden = true
    invoice = undefined
  })
}
