// English: the source of every other language. `{name}` is filled in; a text with `other` has one form for each plural of its language.

export const en = {
  brand: 'Grin payment',
  payTitle: 'Pay {amount} GRIN',
  footer: 'Only your wallet and this till sign the payment. No scripts, no trackers.',
  noRealMoney: 'Not real money',
  bannerTestnet: 'Test coins without value. Do not send real Grin here.',
  bannerUsernet: 'A private test chain. Do not send real Grin here.',
  bannerSandbox: 'Play money on this machine. Do not send real Grin here.',
  shownByFrame: 'The payment is shown below and updates automatically.',
  openInFull: 'Open it in full',
  backToShop: 'Back to the shop',

  amountDue: 'Amount due',
  amount: 'Amount',
  amountPaid: 'Amount paid',
  price: 'Price',
  rate: 'Rate',
  ratePerGrin: '{rate} {currency} per GRIN',
  rateAsOf: '{rate} {currency} per GRIN, as of {time}',
  purpose: 'For',
  order: 'Order',
  invoice: 'Invoice',
  paidOn: 'Paid on',
  priceFixed: 'Price fixed',
  daysLeft: { one: '{n} day left', other: '{n} days left' },
  hoursLeft: { one: '{n} hour left', other: '{n} hours left' },
  minutesLeft: { one: '{n} minute left', other: '{n} minutes left' },
  lessThanAMinuteLeft: 'Less than a minute left',

  statusTitle: 'Payment status',
  waiting: 'Waiting for your payment',
  waitingDetail: 'This page updates automatically.',
  replyReady: 'Reply ready: finish in your wallet',
  replyReadyDetail: 'Nothing has moved yet. Give our reply to your wallet, which then sends the payment.',
  replyOnItsWay:
    'Nothing has moved yet. Our reply goes to your wallet automatically: keep the wallet open for a moment.',
  sending: 'Payment complete, being sent',
  sendingDetail: 'Nothing is left for you to do: this till sends it to the network.',
  seen: 'Seen on the network',
  seenDetail: 'It is waiting for the next block, usually about a minute.',
  confirming: 'Confirming {done} of {total}',
  confirmingDetail: { one: 'About {n} minute to go.', other: 'About {n} minutes to go.' },
  paid: 'Paid',
  paidDetail: 'Thank you! The payment is settled.',
  expired: 'This invoice has expired',
  expiredDetail: 'Please do not pay it.',
  expiredOn: 'It could be paid until {time}.',
  cancelled: 'This invoice was cancelled',
  cancelledDetail: 'The shop withdrew it. Please do not pay it.',
  stepReply: 'Reply ready',
  stepSeen: 'Seen',
  stepConfirming: 'Confirming',
  stepPaid: 'Paid',
  stepsLabel: 'Progress of the payment',
  showResult: 'Show the payment',
  mayClose: 'You may close this page: the link of the invoice always shows its status.',
  downloadReceipt: 'Download the receipt',
  expiredAdvicePaid:
    'Have you paid already? Once your wallet has sent the payment it is still recognised: open this page again a little later.',
  expiredAdviceNew: 'If not, ask the shop for a new invoice and cancel the old payment in your wallet.',
  expiredAdviceRequote: 'If not, get a new price: the invoice stays the same.',
  cancelledAdvice: 'If you have paid already, contact the shop and quote the invoice number.',
  newPrice: 'Get a new price',
  showReply: 'Show our reply again',
  lostReply: 'Lost our reply?',
  lostReplyHelp: 'Paste the same slatepack again and you get the same reply again.',

  waysToPay: 'Ways to pay',
  tabNostr: 'Grin wallet app',
  tabInvoice: 'Pay an invoice',
  tabAddress: 'Send over Tor',
  tabSlatepack: 'Copy & paste',
  clickSelects: 'A click selects the whole value.',
  amountInGrin: 'Amount in GRIN',

  openInWallet: 'Open in wallet',
  scanInstead: 'or scan the code with a Grin wallet app',
  codeOfPayment: 'Code to pay {amount} GRIN',
  appExplained:
    'The amount is filled in. Your wallet and this till finish the payment automatically; there is nothing to copy back.',
  notTwice: 'Your wallet says “sent” and this page still waits? Do not pay twice: the message is on its way.',
  copyInstead: 'Copy instead of scanning',
  hideCopy: 'Hide the texts',
  linkAsText: 'Payment link',
  receiverOnly: 'Only the receiver (nprofile); then enter {amount} GRIN yourself',

  addressTitle: 'Send to our address',
  addressExplained:
    'For wallets that reach us over Tor on their own. Send exactly this amount: it tells us that you paid this invoice.',
  address: 'Address',
  codeOfAddress: 'Code of our address',
  walletShowsSlatepack: 'Does your wallet show a slatepack instead?',

  sendTitle: 'Send from your Grin wallet',
  sendExplained:
    'Works with every Grin wallet. Send exactly this amount to this address; if your wallet asks how, choose Slatepack.',
  toAddress: 'To this address',
  pasteTitle: 'Paste what your wallet shows',
  pasteExplained: 'Copy all of it, from BEGINSLATEPACK to ENDSLATEPACK.',
  slatepackFromWallet: 'Slatepack from your wallet',
  getReply: 'Get the reply',
  giveBackTitle: 'Give our reply back to your wallet',
  giveBackExplained: 'You get it on the next page. Nothing moves until your wallet finishes the payment with it.',

  openInvoiceTitle: 'Open our invoice in your wallet',
  openInvoiceExplained:
    'For wallets that can pay an invoice, such as grin-wallet. Copy all of it into the wallet, or scan it. It asks for exactly {amount} GRIN.',
  codeOfInvoice: 'Code of the invoice',
  invoiceSlatepack: 'Invoice slatepack',
  selectAll: 'Click the field, select all of its text and copy it.',
  handInTitle: 'Give us the answer of your wallet',
  handInExplained:
    'Does your wallet reach this till on its own? Then you are done. If it shows a slatepack, paste all of it here.',
  handIn: 'Submit',
  tillFinishes: 'This till then completes the payment and sends it to the network.',

  terminalTitle: 'With grin-wallet in a terminal',
  terminalAfter: 'It first tries to reach this till directly, then prints a slatepack. Copy that.',
  terminalPay: 'Paste our slatepack when it asks. If it reaches this till directly, you are done.',
  terminalFinalize: 'Then paste the reply when it asks for it.',
  sandboxTitle: 'Let the sandbox pay',
  sandboxAfter: 'Its wallet then does everything. Add --node-port if the sandbox printed a port other than 8421.',

  replyTitle: 'Almost done: finish in your wallet',
  nothingMoved: 'Nothing has moved until your wallet finishes the payment.',
  copyReplyTitle: 'Copy our reply',
  slatepackForWallet: 'Slatepack for your wallet',
  pasteReplyTitle: 'Paste it into your wallet',
  pasteReplyExplained:
    'Where the wallet waits for the reply, often called Finalize. The wallet checks it, signs and sends.',
  watchTitle: 'Watch it arrive',
  watchExplained: 'The first confirmation takes about a minute. The payment page always shows the status.',
  paymentPage: 'Payment page',

  notAccepted: 'Not accepted',
  correctBelow: 'Correct the slatepack below',
  backToPayment: 'Back to the payment',
  noSuchPayment: 'There is no such payment',
  noSuchPaymentWhy: 'The link is not complete, or it belongs to another till.',
  noSuchPaymentFix: 'Open the payment link again where you got it: in the shop, or in its message. Copy all of it.',
  didNotWork: 'That did not work',
  goBack: 'Go back and try again.',
  notPossibleHere: 'That is not possible here',
  openLinkAgain: 'Open the payment link of the shop again.',
  tooLong: 'That text is too long',
  tooLongFix: 'A slatepack has a few thousand characters. Copy only the text from BEGINSLATEPACK to ENDSLATEPACK.',
  formNotUnderstood: 'This form cannot be read',
  formNotUnderstoodFix: 'Paste the slatepack as text into the field of the payment page; files are not accepted.',
  oneMoment: 'One moment, please',
  oneMomentFix: 'There were too many requests from your address. Wait a minute, then go back and try again.',
  notNow: 'Not possible right now',
  tillProblem: 'The till has a problem',
  tillProblemFix: 'Nothing was charged. Try again in a minute; if the problem persists, tell the shop.',

  landingTitle: 'A till for Grin payments',
  landingWhat: 'A shop takes payments in Grin here, with its own wallet on its own server.',
  landingHow: 'To pay, open the payment link that the shop gave you. There is nothing else to see on this page.',
} as const

// The shape of one language: the keys of English, with one text or one form for each plural of the language.

/** Forms by plural category (CLDR): `one`, `few`, `many`, … as the language has them; `other` is always there. */
export type PluralForms = { readonly [Category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string } & {
  readonly other: string
}

type English = typeof en
export type TextKey = { [Key in keyof English]: English[Key] extends string ? Key : never }[keyof English]
export type PluralKey = Exclude<keyof English, TextKey>
export type LanguageTexts = { readonly [Key in TextKey]: string } & { readonly [Key in PluralKey]: PluralForms }
