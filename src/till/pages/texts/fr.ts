// French.
import type { LanguageTexts } from './types.js'

export const fr: LanguageTexts = {
  brand: 'Paiement en Grin',
  payTitle: 'Payer {amount} GRIN',
  footer: 'Seuls votre portefeuille et ce terminal de paiement signent le paiement. Aucun script, aucun traceur.',
  noRealMoney: 'Pas d’argent réel',
  bannerTestnet: 'Pièces de test sans valeur. N’envoyez pas de vrais Grin ici.',
  bannerUsernet: 'Une chaîne de test privée. N’envoyez pas de vrais Grin ici.',
  bannerSandbox: 'Argent fictif sur cette machine. N’envoyez pas de vrais Grin ici.',
  shownByFrame: 'Le paiement s’affiche ci-dessous et se met à jour tout seul.',
  openInFull: 'L’ouvrir en entier',
  backToShop: 'Retour à la boutique',

  amountDue: 'Montant à payer',
  amount: 'Montant',
  amountPaid: 'Montant payé',
  price: 'Prix',
  rate: 'Cours',
  ratePerGrin: '{rate} {currency} par GRIN',
  rateAsOf: '{rate} {currency} par GRIN, relevé le {time}',
  purpose: 'Objet',
  order: 'Commande',
  invoice: 'Facture',
  paidOn: 'Payé le',
  priceFixed: 'Prix garanti',
  daysLeft: { one: 'encore {n} jour', many: 'encore {n} de jours', other: 'encore {n} jours' },
  hoursLeft: { one: 'encore {n} heure', many: 'encore {n} d’heures', other: 'encore {n} heures' },
  minutesLeft: { one: 'encore {n} minute', many: 'encore {n} de minutes', other: 'encore {n} minutes' },
  lessThanAMinuteLeft: 'encore moins d’une minute',

  statusTitle: 'État du paiement',
  waiting: 'En attente de votre paiement',
  waitingDetail: 'Cette page se met à jour toute seule.',
  replyReady: 'Réponse prête : terminez dans votre portefeuille',
  replyReadyDetail:
    'Aucun Grin n’a encore été envoyé. Donnez notre réponse à votre portefeuille, qui envoie alors le paiement.',
  replyOnItsWay:
    'Aucun Grin n’a encore été envoyé. Notre réponse arrive toute seule dans votre portefeuille : laissez-le ouvert un instant.',
  sending: 'Paiement complet, envoi en cours',
  sendingDetail: 'Vous n’avez plus rien à faire : ce terminal l’envoie au réseau.',
  seen: 'Vu sur le réseau',
  seenDetail: 'Il attend le prochain bloc, en général environ une minute.',
  confirming: 'Confirmation {done} sur {total}',
  confirmingDetail: {
    one: 'Encore environ {n} minute.',
    many: 'Encore environ {n} de minutes.',
    other: 'Encore environ {n} minutes.',
  },
  paid: 'Payé',
  paidDetail: 'Merci ! Le paiement est terminé.',
  expired: 'Cette facture a expiré',
  expiredDetail: 'Merci de ne plus la payer.',
  expiredOn: 'Elle pouvait être payée jusqu’au {time}.',
  cancelled: 'Cette facture a été annulée',
  cancelledDetail: 'La boutique l’a retirée. Merci de ne pas la payer.',
  stepReply: 'Réponse',
  stepSeen: 'Vu',
  stepConfirming: 'Confirmation',
  stepPaid: 'Payé',
  stepsLabel: 'Avancement du paiement',
  showResult: 'Afficher le paiement',
  mayClose: 'Vous pouvez fermer cette page : le lien de la facture en montre toujours l’état.',
  downloadReceipt: 'Télécharger le reçu',
  expiredAdvicePaid:
    'Déjà payé ? Si votre portefeuille a envoyé le paiement, il est encore reconnu : rouvrez cette page un peu plus tard.',
  expiredAdviceNew:
    'Sinon, demandez une nouvelle facture à la boutique et annulez l’ancien paiement dans votre portefeuille.',
  expiredAdviceRequote: 'Sinon, obtenez un nouveau prix : la facture reste la même.',
  cancelledAdvice: 'Si vous avez déjà payé, adressez-vous à la boutique en indiquant la facture.',
  newPrice: 'Obtenir un nouveau prix',
  showReply: 'Afficher de nouveau notre réponse',
  lostReply: 'Notre réponse est perdue ?',
  lostReplyHelp: 'Collez encore une fois le même slatepack et vous recevrez la même réponse.',

  waysToPay: 'Moyens de payer',
  tabNostr: 'Appli portefeuille Grin',
  tabInvoice: 'Payer une facture',
  tabAddress: 'Envoyer par Tor',
  tabSlatepack: 'Copier-coller',
  clickSelects: 'Un clic sélectionne toute la valeur.',
  amountInGrin: 'Montant en GRIN',

  openInWallet: 'Ouvrir dans le portefeuille',
  scanInstead: 'ou scannez le code avec une appli portefeuille Grin',
  codeOfPayment: 'Code pour payer {amount} GRIN',
  appExplained:
    'Le montant est déjà rempli. Votre portefeuille et ce terminal terminent le paiement entre eux ; il n’y a rien à recopier.',
  notTwice:
    'Votre portefeuille dit « envoyé » et cette page attend encore ? Ne payez pas deux fois : le message est en route.',
  copyInstead: 'Copier au lieu de scanner',
  hideCopy: 'Masquer les textes',
  linkAsText: 'Lien de paiement',
  receiverOnly: 'Seulement le destinataire (nprofile) ; saisissez ensuite {amount} GRIN vous-même',

  addressTitle: 'Envoyer à notre adresse',
  addressExplained:
    'Pour les portefeuilles qui nous joignent eux-mêmes par Tor. Envoyez exactement ce montant : il nous indique que vous avez payé cette facture.',
  address: 'Adresse',
  codeOfAddress: 'Code de notre adresse',
  walletShowsSlatepack: 'Votre portefeuille affiche plutôt un slatepack ?',

  sendTitle: 'Envoyez depuis votre portefeuille Grin',
  sendExplained:
    'Fonctionne avec tous les portefeuilles Grin. Envoyez exactement ce montant à cette adresse ; si votre portefeuille demande comment, choisissez Slatepack.',
  toAddress: 'À cette adresse',
  pasteTitle: 'Collez ce que montre votre portefeuille',
  pasteExplained: 'Copiez tout, de BEGINSLATEPACK à ENDSLATEPACK.',
  slatepackFromWallet: 'Slatepack de votre portefeuille',
  getReply: 'Obtenir la réponse',
  giveBackTitle: 'Rendez notre réponse à votre portefeuille',
  giveBackExplained:
    'Vous la recevez à la page suivante. Aucun Grin n’est envoyé tant que votre portefeuille n’a pas terminé le paiement avec elle.',

  openInvoiceTitle: 'Ouvrez notre facture dans votre portefeuille',
  openInvoiceExplained:
    'Pour les portefeuilles qui savent payer une facture, comme grin-wallet. Copiez-la entière dans le portefeuille, ou scannez-la. Elle demande exactement {amount} GRIN.',
  codeOfInvoice: 'Code de la facture',
  invoiceSlatepack: 'Slatepack de la facture',
  selectAll: 'Cliquez dans le champ, sélectionnez tout, copiez.',
  handInTitle: 'Remettez la réponse de votre portefeuille',
  handInExplained:
    'Votre portefeuille joint ce terminal lui-même ? Alors c’est fini. S’il affiche un slatepack, collez-le ici en entier.',
  handIn: 'Remettre',
  tillFinishes: 'Ce terminal termine alors le paiement et l’envoie au réseau.',

  terminalTitle: 'Avec grin-wallet dans un terminal',
  terminalAfter: 'Il essaie d’abord de joindre ce terminal directement, puis affiche un slatepack. Copiez-le.',
  terminalPay: 'Collez notre slatepack quand il le demande. S’il joint ce terminal directement, c’est fini.',
  terminalFinalize: 'Collez ensuite la réponse quand il la demande.',
  sandboxTitle: 'Laissez payer le bac à sable',
  sandboxAfter:
    'Son portefeuille fait alors tout. Ajoutez --node-port si le bac à sable a affiché un autre port que 8421.',

  replyTitle: 'Presque fini : terminez dans votre portefeuille',
  nothingMoved: 'Aucun Grin n’est envoyé tant que votre portefeuille n’a pas terminé le paiement.',
  copyReplyTitle: 'Copiez notre réponse',
  slatepackForWallet: 'Slatepack pour votre portefeuille',
  pasteReplyTitle: 'Collez-la dans votre portefeuille',
  pasteReplyExplained:
    'Là où le portefeuille attend la réponse, souvent appelé Finalize. Le portefeuille la vérifie, signe et envoie.',
  watchTitle: 'Suivez le paiement',
  watchExplained: 'La première confirmation prend environ une minute. La page de paiement montre toujours l’état.',
  paymentPage: 'Page de paiement',

  notAccepted: 'Refusé',
  correctBelow: 'Corrigez le slatepack ci-dessous',
  backToPayment: 'Retour au paiement',
  noSuchPayment: 'Ce paiement n’existe pas',
  noSuchPaymentWhy: 'Le lien n’est pas complet, ou il appartient à un autre terminal.',
  noSuchPaymentFix:
    'Rouvrez le lien de paiement là où vous l’avez reçu : dans la boutique ou dans son message. Copiez-le en entier.',
  didNotWork: 'Cela n’a pas marché',
  goBack: 'Revenez en arrière et réessayez.',
  notPossibleHere: 'Ce n’est pas possible ici',
  openLinkAgain: 'Rouvrez le lien de paiement de la boutique.',
  tooLong: 'Ce texte est trop long',
  tooLongFix:
    'Un slatepack compte quelques milliers de caractères. Copiez seulement le texte de BEGINSLATEPACK à ENDSLATEPACK.',
  formNotUnderstood: 'Ce formulaire n’est pas compris',
  formNotUnderstoodFix:
    'Collez le slatepack comme texte dans le champ de la page de paiement ; les fichiers ne sont pas acceptés.',
  oneMoment: 'Un instant, s’il vous plaît',
  oneMomentFix:
    'Il y a eu beaucoup de requêtes depuis votre adresse. Attendez une minute, revenez en arrière et réessayez.',
  notNow: 'Impossible pour le moment',
  tillProblem: 'Le terminal a un problème',
  tillProblemFix: 'Rien n’a été débité. Réessayez dans une minute ; si cela persiste, prévenez la boutique.',

  landingTitle: 'Un terminal de paiement en Grin',
  landingWhat: 'Une boutique reçoit ici des paiements en Grin, avec son propre portefeuille sur son propre serveur.',
  landingHow:
    'Pour payer, ouvrez le lien de paiement reçu de la boutique. Il n’y a rien d’autre à voir sur cette page.',
}
