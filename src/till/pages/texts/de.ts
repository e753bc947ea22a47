// German.
import type { LanguageTexts } from './types.js'

export const de: LanguageTexts = {
  brand: 'Grin-Zahlung',
  payTitle: '{amount} GRIN bezahlen',
  footer: 'Nur Ihre Wallet und diese Kasse signieren die Zahlung. Keine Skripte, keine Tracker.',
  noRealMoney: 'Kein echtes Geld',
  bannerTestnet: 'Testmünzen ohne Wert. Senden Sie hier kein echtes Grin.',
  bannerUsernet: 'Eine private Test-Blockchain. Senden Sie hier kein echtes Grin.',
  bannerSandbox: 'Spielgeld auf diesem Rechner. Senden Sie hier kein echtes Grin.',
  shownByFrame: 'Die Zahlung wird unten angezeigt und aktualisiert sich automatisch.',
  openInFull: 'Vollständig öffnen',
  backToShop: 'Zurück zum Shop',

  amountDue: 'Zu zahlen',
  amount: 'Betrag',
  amountPaid: 'Bezahlt',
  price: 'Preis',
  rate: 'Kurs',
  ratePerGrin: '{rate} {currency} je GRIN',
  rateAsOf: '{rate} {currency} je GRIN, Stand {time}',
  purpose: 'Zweck',
  order: 'Bestellung',
  invoice: 'Rechnung',
  paidOn: 'Bezahlt am',
  priceFixed: 'Preis garantiert',
  daysLeft: { one: 'noch {n} Tag', other: 'noch {n} Tage' },
  hoursLeft: { one: 'noch {n} Stunde', other: 'noch {n} Stunden' },
  minutesLeft: { one: 'noch {n} Minute', other: 'noch {n} Minuten' },
  lessThanAMinuteLeft: 'noch weniger als eine Minute',

  statusTitle: 'Stand der Zahlung',
  waiting: 'Wartet auf Ihre Zahlung',
  waitingDetail: 'Diese Seite aktualisiert sich automatisch.',
  replyReady: 'Antwort bereit: in der Wallet abschließen',
  replyReadyDetail:
    'Es wurde noch nichts überwiesen. Geben Sie unsere Antwort Ihrer Wallet; sie sendet dann die Zahlung.',
  replyOnItsWay:
    'Es wurde noch nichts überwiesen. Unsere Antwort geht automatisch an Ihre Wallet: lassen Sie sie einen Moment offen.',
  sending: 'Zahlung vollständig, wird gesendet',
  sendingDetail: 'Für Sie bleibt nichts zu tun: diese Kasse sendet sie ins Netz.',
  seen: 'Im Netzwerk erkannt',
  seenDetail: 'Sie wartet auf den nächsten Block, meist etwa eine Minute.',
  confirming: 'Bestätigung {done} von {total}',
  confirmingDetail: { one: 'Noch etwa {n} Minute.', other: 'Noch etwa {n} Minuten.' },
  paid: 'Bezahlt',
  paidDetail: 'Vielen Dank! Die Zahlung ist abgeschlossen.',
  expired: 'Diese Rechnung ist abgelaufen',
  expiredDetail: 'Bitte bezahlen Sie sie nicht mehr.',
  expiredOn: 'Sie konnte bis {time} bezahlt werden.',
  cancelled: 'Diese Rechnung wurde storniert',
  cancelledDetail: 'Der Shop hat sie zurückgezogen. Bitte bezahlen Sie sie nicht.',
  stepReply: 'Antwort',
  stepSeen: 'Gesehen',
  stepConfirming: 'Bestätigung',
  stepPaid: 'Bezahlt',
  stepsLabel: 'Fortschritt der Zahlung',
  showResult: 'Zahlung anzeigen',
  mayClose: 'Sie können diese Seite schließen: der Link der Rechnung zeigt immer den Stand.',
  downloadReceipt: 'Beleg herunterladen',
  expiredAdvicePaid:
    'Schon bezahlt? Hat Ihre Wallet die Zahlung gesendet, wird sie noch erkannt: öffnen Sie diese Seite etwas später noch einmal.',
  expiredAdviceNew:
    'Wenn nicht, bitten Sie den Shop um eine neue Rechnung und brechen Sie die alte Zahlung in Ihrer Wallet ab.',
  expiredAdviceRequote: 'Wenn nicht, holen Sie einen neuen Preis: die Rechnung bleibt dieselbe.',
  cancelledAdvice: 'Wenn Sie schon bezahlt haben, wenden Sie sich an den Shop und nennen Sie die Rechnungsnummer.',
  newPrice: 'Neuen Preis holen',
  showReply: 'Unsere Antwort noch einmal zeigen',
  lostReply: 'Unsere Antwort verloren?',
  lostReplyHelp: 'Fügen Sie dasselbe Slatepack noch einmal ein: Sie erhalten dieselbe Antwort.',

  waysToPay: 'Zahlungswege',
  tabNostr: 'Grin-Wallet-App',
  tabInvoice: 'Rechnung in der Wallet',
  tabAddress: 'Über Tor senden',
  tabSlatepack: 'Kopieren & einfügen',
  clickSelects: 'Ein Klick wählt den ganzen Wert aus.',
  amountInGrin: 'Betrag in GRIN',

  openInWallet: 'In der Wallet öffnen',
  scanInstead: 'oder den Code mit einer Grin-Wallet-App scannen',
  codeOfPayment: 'Code zum Bezahlen von {amount} GRIN',
  appExplained:
    'Der Betrag ist eingetragen. Ihre Wallet und diese Kasse schließen die Zahlung automatisch ab; Sie müssen nichts zurückkopieren.',
  notTwice:
    'Ihre Wallet meldet „gesendet“ und diese Seite wartet noch? Zahlen Sie nicht zweimal: die Nachricht ist unterwegs.',
  copyInstead: 'Kopieren statt scannen',
  hideCopy: 'Texte ausblenden',
  linkAsText: 'Zahlungslink',
  receiverOnly: 'Nur der Empfänger (nprofile); dann {amount} GRIN selbst eingeben',

  addressTitle: 'An unsere Adresse senden',
  addressExplained:
    'Für Wallets, die uns selbst über Tor erreichen. Senden Sie genau diesen Betrag: an ihm erkennen wir, dass Sie diese Rechnung bezahlt haben.',
  address: 'Adresse',
  codeOfAddress: 'Code unserer Adresse',
  walletShowsSlatepack: 'Zeigt Ihre Wallet stattdessen ein Slatepack?',

  sendTitle: 'Aus Ihrer Grin-Wallet senden',
  sendExplained:
    'Funktioniert mit jeder Grin-Wallet. Senden Sie genau diesen Betrag an diese Adresse; fragt Ihre Wallet nach dem Weg, wählen Sie Slatepack.',
  toAddress: 'An diese Adresse',
  pasteTitle: 'Einfügen, was Ihre Wallet zeigt',
  pasteExplained: 'Kopieren Sie alles, von BEGINSLATEPACK bis ENDSLATEPACK.',
  slatepackFromWallet: 'Slatepack Ihrer Wallet',
  getReply: 'Antwort holen',
  giveBackTitle: 'Unsere Antwort der Wallet zurückgeben',
  giveBackExplained:
    'Sie erhalten sie auf der nächsten Seite. Es wird nichts überwiesen, bis Ihre Wallet die Zahlung damit abschließt.',

  openInvoiceTitle: 'Unsere Rechnung in Ihrer Wallet öffnen',
  openInvoiceExplained:
    'Für Wallets, die eine Rechnung bezahlen können, etwa grin-wallet. Kopieren Sie alles in die Wallet, oder scannen Sie es. Verlangt werden genau {amount} GRIN.',
  codeOfInvoice: 'Code der Rechnung',
  invoiceSlatepack: 'Slatepack der Rechnung',
  selectAll: 'Ins Feld klicken, alles auswählen, kopieren.',
  handInTitle: 'Die Antwort Ihrer Wallet übergeben',
  handInExplained:
    'Erreicht Ihre Wallet diese Kasse von selbst? Dann sind Sie fertig. Zeigt sie ein Slatepack, fügen Sie es hier ganz ein.',
  handIn: 'Absenden',
  tillFinishes: 'Diese Kasse schließt dann die Zahlung ab und sendet sie ins Netz.',

  terminalTitle: 'Mit grin-wallet im Terminal',
  terminalAfter:
    'Sie versucht zuerst, diese Kasse direkt zu erreichen, und gibt sonst ein Slatepack aus. Kopieren Sie es.',
  terminalPay: 'Fügen Sie unser Slatepack ein, wenn sie fragt. Erreicht sie diese Kasse direkt, sind Sie fertig.',
  terminalFinalize: 'Fügen Sie dann die Antwort ein, wenn sie fragt.',
  sandboxTitle: 'Die Sandbox zahlen lassen',
  sandboxAfter:
    'Ihre Wallet erledigt dann alles. Fügen Sie --node-port hinzu, wenn die Sandbox einen anderen Port als 8421 genannt hat.',

  replyTitle: 'Fast fertig: in der Wallet abschließen',
  nothingMoved: 'Es wird nichts überwiesen, bis Ihre Wallet die Zahlung abschließt.',
  copyReplyTitle: 'Unsere Antwort kopieren',
  slatepackForWallet: 'Slatepack für Ihre Wallet',
  pasteReplyTitle: 'In Ihre Wallet einfügen',
  pasteReplyExplained:
    'Dort, wo die Wallet auf die Antwort wartet, oft „Finalize“ genannt. Die Wallet prüft sie, signiert und sendet.',
  watchTitle: 'Den Eingang verfolgen',
  watchExplained: 'Die erste Bestätigung dauert etwa eine Minute. Die Zahlungsseite zeigt immer den Stand.',
  paymentPage: 'Zahlungsseite',

  notAccepted: 'Nicht angenommen',
  correctBelow: 'Slatepack unten berichtigen',
  backToPayment: 'Zurück zur Zahlung',
  noSuchPayment: 'Diese Zahlung gibt es nicht',
  noSuchPaymentWhy: 'Der Link ist nicht vollständig, oder er gehört zu einer anderen Kasse.',
  noSuchPaymentFix:
    'Öffnen Sie den Zahlungslink noch einmal dort, wo Sie ihn bekommen haben: im Shop oder in dessen Nachricht. Kopieren Sie ihn ganz.',
  didNotWork: 'Das hat nicht geklappt',
  goBack: 'Gehen Sie zurück und versuchen Sie es noch einmal.',
  notPossibleHere: 'Das geht hier nicht',
  openLinkAgain: 'Öffnen Sie den Zahlungslink des Shops noch einmal.',
  tooLong: 'Dieser Text ist zu lang',
  tooLongFix:
    'Ein Slatepack hat einige tausend Zeichen. Kopieren Sie nur den Text von BEGINSLATEPACK bis ENDSLATEPACK.',
  formNotUnderstood: 'Dieses Formular ist nicht lesbar',
  formNotUnderstoodFix:
    'Fügen Sie das Slatepack als Text in das Feld der Zahlungsseite ein; Dateien werden nicht angenommen.',
  oneMoment: 'Einen Moment bitte',
  oneMomentFix:
    'Von Ihrer Adresse kamen zu viele Anfragen. Warten Sie eine Minute, gehen Sie zurück und versuchen Sie es noch einmal.',
  notNow: 'Gerade nicht möglich',
  tillProblem: 'Die Kasse hat eine Störung',
  tillProblemFix:
    'Es wurde nichts abgebucht. Versuchen Sie es in einer Minute noch einmal; bleibt es so, sagen Sie dem Shop Bescheid.',

  landingTitle: 'Eine Kasse für Grin-Zahlungen',
  landingWhat: 'Ein Shop nimmt hier Zahlungen in Grin an, mit eigener Wallet auf eigenem Server.',
  landingHow:
    'Zum Bezahlen öffnen Sie den Zahlungslink, den Sie vom Shop bekommen haben. Mehr gibt es auf dieser Seite nicht.',
}
