import type { orders as english } from '../en/orders.ts';
import type { Translated } from '../texts.ts';

export const orders: Translated<typeof english> = {
  failures: {
    expired: {
      label: 'Nicht rechtzeitig bezahlt',
      heading: 'Die Zeit zum Bezahlen ist abgelaufen',
      explanation:
        'Ihre Tickets stehen wieder zum Verkauf, und Sie können erneut bestellen. Falls Sie trotzdem bezahlt haben, erhalten Sie die Tickets, wenn noch genug da sind und die Veranstaltung nicht vorbei ist, oder Ihr Geld zurück.',
      organizer: 'Es wurde nicht rechtzeitig bezahlt. Die Tickets stehen wieder zum Verkauf.',
    },
    cancelled: {
      label: 'Vom Käufer storniert',
      heading: 'Sie haben diese Bestellung storniert',
      explanation:
        'Die Tickets stehen wieder zum Verkauf. Bitte bezahlen Sie diese Bestellung nicht mehr: Für eine Zahlung, die noch ankommt, erhalten Sie die Tickets nur, wenn sie dann zu diesem Preis verkauft werden; sonst geht sie zurück.',
      organizer: 'Die Bestellung wurde vor der Zahlung storniert. Die Tickets stehen wieder zum Verkauf.',
    },
    'payment-failed': {
      label: 'Zahlung abgelehnt',
      heading: 'Ihre Zahlung wurde abgelehnt',
      explanation:
        'Es wurde nichts abgebucht, und die Tickets stehen wieder zum Verkauf. Sie können erneut bestellen und auf andere Weise bezahlen.',
      organizer: 'Die Zahlung wurde abgelehnt. Die Tickets stehen wieder zum Verkauf.',
    },
    'gateway-failed': {
      label: 'Zahlung nicht begonnen',
      heading: 'Die Zahlung konnte nicht begonnen werden',
      explanation:
        'Der Zahlungsdienst hat nicht geantwortet. Es wurde nichts abgebucht, und die Tickets stehen wieder zum Verkauf. Bitte bestellen Sie erneut, oder bezahlen Sie auf andere Weise.',
      organizer: 'Der Zahlungsdienst hat nicht geantwortet. Die Tickets stehen wieder zum Verkauf.',
    },
    'event-cancelled': {
      label: 'Veranstaltung abgesagt, nicht bezahlt',
      heading: 'Die Veranstaltung wurde abgesagt',
      explanation:
        'Diese Bestellung wurde nicht bezahlt, also gibt es nichts zu erstatten. Eine Zahlung, die später ankommt, geht zurück.',
      organizer: 'Sie haben die Veranstaltung vor der Zahlung abgesagt.',
    },
    'listing-ended': {
      label: 'Tickets wurden behalten',
      heading: 'Diese Tickets stehen nicht mehr zum Verkauf',
      explanation:
        'Sie sollten zurückgegeben werden und wurden doch behalten. Falls Sie bezahlt haben, erhalten Sie andere Tickets, wenn noch genug da sind, oder Ihr Geld zurück.',
      organizer: 'Die zurückgegebenen Tickets wurden vor der Zahlung doch behalten.',
    },
    unknown: {
      label: 'Nicht bezahlt',
      heading: 'Diese Bestellung wurde nicht bezahlt',
      explanation: 'Die Tickets stehen wieder zum Verkauf, und Sie können erneut bestellen.',
      organizer: 'Die Bestellung wurde nicht bezahlt. Die Tickets stehen wieder zum Verkauf.',
    },
  },
  pending: {
    waiting: {
      label: 'Zahlung ausstehend',
      heading: 'Wir warten auf Ihre Zahlung',
      explanation: 'Diese Seite ändert sich von selbst, sobald der Zahlungsdienst die Zahlung bestätigt hat.',
      organizer: 'Es wurde noch nicht bezahlt. Die Tickets sind so lange reserviert.',
    },
    confirming: {
      label: 'Zahlung wird bestätigt',
      heading: 'Wir warten auf Ihre Zahlung',
      explanation:
        'Ihre Bestellung ist abgeschlossen, sobald Ihre Transaktion auf der Chain endgültig ist. Bitte bezahlen Sie nicht noch einmal.',
      organizer: 'Die Zahlung ist abgeschickt und auf der Chain noch nicht endgültig.',
    },
    declined: {
      label: 'Zahlung abgelehnt, neuer Versuch möglich',
      heading: 'Ihre Zahlung wurde abgelehnt',
      explanation:
        'Es wurde nichts abgebucht. Ihre Tickets bleiben bis zum unten genannten Zeitpunkt reserviert: Gehen Sie zur Zahlung und versuchen Sie es erneut, zum Beispiel mit einer anderen Karte.',
      organizer:
        'Die Zahlung wurde abgelehnt. Die Tickets bleiben reserviert, und ein neuer Versuch ist möglich.',
    },
    cancelled: {
      label: 'Veranstaltung abgesagt, nicht bezahlt',
      heading: 'Die Veranstaltung wurde abgesagt',
      explanation:
        'Bitte bezahlen Sie diese Bestellung nicht mehr. Eine Zahlung, die noch ankommt, geht zurück.',
      organizer: 'Sie haben die Veranstaltung vor der Zahlung abgesagt.',
    },
    payFromWallet:
      'Bezahlen Sie aus Ihrem Wallet, wie unten gezeigt. Diese Seite ändert sich von selbst, sobald die Zahlung endgültig ist.',
    ended: {
      heading: 'Die Zeit zum Bezahlen ist abgelaufen',
      explanation:
        'Wir prüfen, ob Ihre Zahlung angekommen ist. Das dauert ein bis zwei Minuten. Bitte bezahlen Sie diese Bestellung nicht mehr.',
    },
  },
  review: {
    organizer: 'Die Zahlung wird von der Plattform geprüft: {{review}}.',
    heading: 'Wir prüfen Ihre Zahlung',
    mismatched: {
      label: 'Zahlung wird geprüft',
      explanation:
        'Es kam eine Zahlung an, die nicht zu dieser Bestellung passt, zum Beispiel weil der Betrag zu niedrig ist. Wir schließen die Bestellung ab oder senden das Geld zurück. Bitte bezahlen Sie nicht noch einmal.',
      released: 'Die Tickets dieser Bestellung stehen wieder zum Verkauf.',
    },
    paid: {
      label: 'Bezahlt, Zahlung wird geprüft',
      explanation:
        'Die Zahlung wurde angefochten, oder ein Teil davon ging zurück. Ihre Tickets bleiben gültig, während wir das prüfen.',
    },
  },
  causes: {
    'event-cancelled': {
      explanation: 'Ihre Tickets sind nicht mehr gültig.',
      organizer: 'Sie haben die Veranstaltung abgesagt.',
    },
    'sold-out': {
      explanation: 'Als sie ankam, waren die Tickets ausverkauft.',
      organizer: 'Die Zahlung kam zu spät an, als die Tickets ausverkauft waren.',
    },
    'too-few-left': {
      explanation: 'Als sie ankam, waren weniger Tickets übrig, als Sie bestellt hatten.',
      organizer: 'Die Zahlung kam zu spät an, als zu wenige Tickets übrig waren.',
    },
    'tier-limit': {
      explanation: 'Als sie ankam, hatten Sie so viele dieser Tickets, wie eine Person haben kann.',
      organizer: 'Die Zahlung kam zu spät an, als die Höchstzahl dieser Tickets pro Person erreicht war.',
    },
    'wallet-limit': {
      explanation:
        'Als sie ankam, hatten Sie so viele Tickets für diese Veranstaltung, wie eine Person haben kann.',
      organizer:
        'Die Zahlung kam zu spät an, als die Höchstzahl von Tickets für diese Veranstaltung pro Person erreicht war.',
    },
    'not-on-sale': {
      explanation:
        'Als sie ankam, wurden diese Tickets nicht mehr zu den Bedingungen Ihrer Bestellung verkauft.',
      organizer:
        'Die Zahlung kam zu spät an, als die Tickets nicht mehr zu den Bedingungen der Bestellung verkauft wurden.',
    },
    'sale-ended': {
      explanation: 'Als sie ankam, war der Verkauf beendet.',
      organizer: 'Die Zahlung kam zu spät an, als der Verkauf beendet war.',
    },
    'code-used-up': {
      explanation: 'Als sie ankam, war Ihr Rabattcode aufgebraucht.',
      organizer: 'Die Zahlung kam zu spät an, als der Rabattcode aufgebraucht war.',
    },
    'discount-expired': {
      explanation: 'Als sie ankam, war Ihr Rabattcode nicht mehr gültig.',
      organizer: 'Die Zahlung kam zu spät an, als der Rabattcode nicht mehr gültig war.',
    },
    'kyc-required': {
      explanation: 'Als sie ankam, war Ihre Identität nicht geprüft.',
      organizer: 'Die Zahlung kam zu spät an, und die Identität war nicht geprüft.',
    },
    other: {
      explanation: 'Als sie ankam, konnten diese Tickets nicht mehr gekauft werden.',
      organizer: 'Die Zahlung kam zu spät an, als diese Tickets nicht mehr gekauft werden konnten.',
    },
    refunded: {
      explanation: 'Die Tickets sind nicht mehr gültig.',
      organizer: 'Die Bestellung wurde erstattet, und ihre Tickets sind nicht mehr gültig.',
    },
  },
  refundHeadings: {
    cancelled: 'Die Veranstaltung wurde abgesagt',
    late: 'Ihre Zahlung kam zu spät',
    sent: 'Ihre Bestellung wurde erstattet',
    promised: 'Sie erhalten Ihr Geld zurück',
  },
  refunds: {
    due: {
      label: 'Wird erstattet',
      explanation: 'Sie erhalten {{amount}} zurück. Sie müssen nichts tun.',
      organizer: 'Der Käufer erhält {{amount}} zurück.',
    },
    pending: {
      label: 'Erstattung unterwegs',
      explanation: '{{amount}} sind auf dem Weg zu Ihnen. Sie müssen nichts tun.',
      organizer: '{{amount}} sind auf dem Weg zum Käufer.',
    },
    done: {
      label: 'Erstattet',
      explanation:
        '{{amount}} wurden auf dem Weg Ihrer Zahlung zurückgesandt. Bis Ihre Bank sie anzeigt, kann es einige Tage dauern.',
      organizer: '{{amount}} wurden an den Käufer zurückgesandt.',
    },
    failed: {
      label: 'Erstattung verzögert',
      explanation:
        'Die Erstattung von {{amount}} hat noch nicht geklappt. Wir arbeiten daran; das kann einige Tage dauern.',
      organizer:
        'Der Zahlungsdienst hat die Erstattung von {{amount}} nicht angenommen. Erstatten Sie die Bestellung erneut, oder bitten Sie die Plattform darum.',
    },
    manual: {
      label: 'Wird von Hand erstattet',
      explanation:
        '{{amount}} werden von Hand zurückgesandt; das kann einige Tage dauern. Sie müssen nichts tun.',
      organizer:
        'Die Plattform sendet {{amount}} von Hand zurück, da die Bestellung auf einer Chain bezahlt wurde.',
    },
  },
  free: {
    label: 'Storniert',
    explanation: 'Die Tickets waren kostenlos, also gibt es nichts zu erstatten.',
  },
  paid: {
    heading: 'Vielen Dank, Ihre Bestellung ist bezahlt',
    freeHeading: 'Vielen Dank, die Tickets gehören Ihnen',
    none: {
      label: 'Bezahlt',
      explanation: 'Ihre Tickets erscheinen gleich hier.',
      organizer: 'Die Bestellung ist bezahlt.',
    },
    queued: {
      label: 'Bezahlt, wird bald ausgestellt',
      explanation:
        'Zeigen Sie die Codes unten am Einlass. Die Tickets werden auch in Ihrem Wallet ausgestellt; das dauert einen Moment.',
      organizer: 'Die Bestellung ist bezahlt. Ihre Tickets werden gleich auf der Chain ausgestellt.',
    },
    minting: {
      label: 'Bezahlt, wird ausgestellt',
      explanation:
        'Zeigen Sie die Codes unten am Einlass. Die Tickets werden gerade auch in Ihrem Wallet ausgestellt; das dauert einen Moment.',
      organizer: 'Die Bestellung ist bezahlt. Ihre Tickets werden auf der Chain ausgestellt.',
    },
    minted: {
      label: 'Bezahlt und ausgestellt',
      explanation: 'Ihre Tickets sind in Ihrem Wallet. Zeigen Sie die Codes unten am Einlass.',
      organizer: 'Die Bestellung ist bezahlt, und ihre Tickets sind im Wallet des Käufers.',
    },
    reissuing: {
      label: 'Bezahlt, Wechsel des Wallets',
      explanation:
        'Ihre Tickets werden in einem anderen Wallet neu ausgestellt. Die Codes unten bleiben gültig.',
      organizer: 'Die Tickets werden in einem anderen Wallet neu ausgestellt.',
    },
    'not-needed': {
      label: 'Bezahlt',
      explanation: 'Zeigen Sie die Codes unten am Einlass. Sie brauchen kein Wallet.',
      organizer: 'Die Bestellung ist bezahlt.',
    },
    failed: {
      label: 'Bezahlt, noch nicht ausgestellt',
      explanation: 'Zeigen Sie die Codes unten am Einlass.',
      organizer:
        'Die Bestellung ist bezahlt, aber ihre Tickets konnten nicht auf der Chain ausgestellt werden.',
    },
    withoutWallet: {
      label: 'Bezahlt, ohne Wallet',
      explanation:
        'Zeigen Sie die Codes unten am Einlass. Sie brauchen kein Wallet. Wenn Sie die Tickets in einem Wallet haben möchten, geben Sie dessen Adresse in Ihrem Konto an und bitten Sie den Veranstalter, sie auszustellen.',
      organizer:
        'Die Bestellung ist bezahlt. Ihre Tickets wurden nicht auf der Chain ausgestellt, da der Käufer kein Wallet hatte. Stellen Sie sie erneut aus, sobald er eines angegeben hat.',
    },
  },
  notMinted: {
    buyer: {
      'contract-not-authorized':
        'Der Veranstalter muss nachweisen, dass der Ticketvertrag der Veranstaltung seiner ist. Dann werden Ihre Tickets in Ihrem Wallet ausgestellt. Sie müssen nichts tun.',
      'wrong-mint': 'Die Tickets wurden nicht richtig ausgestellt. Der Veranstalter muss das beheben.',
      'not-reissued': 'Die Tickets konnten nicht in ein anderes Wallet wechseln und bleiben im jetzigen.',
      other: 'Die Tickets konnten noch nicht im Wallet ausgestellt werden. Der Veranstalter sieht, warum.',
    },
    organizer: {
      'chain-not-configured':
        'Die Chain der Veranstaltung ist für die Ausstellung nicht eingerichtet. Bitten Sie die Plattform, sie einzurichten, und stellen Sie dann erneut aus.',
      'contract-not-authorized':
        'Sie haben nicht nachgewiesen, dass Sie den Vertrag der Veranstaltung verwalten. Weisen Sie es nach, oder bitten Sie die Plattform, den Vertrag mit Ihnen zu verknüpfen. Dann werden die Tickets ohne weitere Schritte ausgestellt.',
      'contract-unknown': 'Der Vertrag der Veranstaltung ist nicht der Ticketvertrag der Plattform.',
      'contract-refused':
        'Der Vertrag der Veranstaltung hat die Ausstellung abgelehnt. Erlauben Sie der Plattform, damit auszustellen, und stellen Sie dann erneut aus.',
      'too-much-gas':
        'Die Ausstellung hätte mehr Gas gekostet als erlaubt. Prüfen Sie Ihren Vertrag, oder stellen Sie später erneut aus.',
      'wrong-mint':
        'Der Vertrag hat andere Tickets ausgestellt, als bestellt waren. Prüfen Sie, wer sonst damit ausstellen kann, und stellen Sie dann erneut aus.',
      'not-reissued': 'Die Tickets konnten nicht in das andere Wallet wechseln und bleiben im jetzigen.',
      other: 'Die Ausstellung hat nicht geklappt. Stellen Sie erneut aus.',
      otherMessage: '{{message}}. Stellen Sie erneut aus.',
    },
  },
  order: {
    title: 'Bestellung',
    toPayment: 'Zur Zahlung',
    cancel: 'Bestellung stornieren',
    cannotCancel:
      'Diese Bestellung kann nicht storniert werden, solange eine Zahlung dafür unterwegs sein kann.',
    myTickets: 'Meine Tickets',
    print: 'Tickets drucken',
    again: 'Erneut bestellen',
    sentTo: 'Ihre Tickets wurden an {{email}} geschickt. Diese Seite ist Ihr Beleg.',
    keep: 'In einem Konto aufbewahren',
    event: 'Veranstaltung',
    noEvent: 'Nicht mehr verfügbar',
    tickets: 'Tickets',
    price: 'Preis',
    code: 'Code',
    discount: '{{code}}, Nachlass {{amount}}',
    fee: 'Gebühr',
    total: 'Gesamt',
    paidWith: 'Bezahlt mit',
    payWith: 'Bezahlen mit',
    state: 'Status',
    refunded: 'Erstattet',
    refund: '{{amount}}, {{time}}',
    refundForSeat: '{{amount}} für Ticket {{numbers}}, {{time}}',
    refundForSeats: '{{amount}} für die Tickets {{numbers}}, {{time}}',
    buyer: 'Käufer',
    ordered: 'Bestellt',
    details: 'Einzelheiten',
    reference: 'Bestellung',
    payment: 'Zahlung',
    mintedBy: 'Ausgestellt durch',
    invoice: 'Rechnung {{number}} speichern',
    creditNote: 'Gutschrift {{number}} speichern',
    atTheDoor: 'Am Einlass',
    eachCode: 'Jeder Code gilt einmal für eine Person.',
    checkedIn_one: '{{used}} von 1 Ticket eingelassen.',
    checkedIn_other: '{{used}} von {{count}} Tickets eingelassen.',
    nfts: 'Ihre Tickets als NFTs',
    mint: 'In diesem Wallet ausstellen',
    wallet: 'Adresse des Wallets',
    walletHint: 'Sie können sie einmal angeben. Sie werden auch ohne Wallet eingelassen.',
  },
  answers: {
    title: 'Ihre Antworten',
    missing: 'Bitte antworten Sie, bevor die Veranstaltung beginnt.',
    show: 'Anzeigen und ändern',
    save: 'Antworten speichern',
    saved: 'Ihre Antworten sind gespeichert.',
  },
  mail: {
    title: 'Tickets per E-Mail',
    again: 'Tickets erneut senden',
    sent: 'Ihre Tickets wurden an {{email}} gesandt.',
    waiting: 'Ihre Tickets sind auf dem Weg an {{email}}.',
    bounced:
      '{{email}} nimmt keine E-Mails an, deshalb sind Ihre Tickets dort nicht angekommen. Sie sind gültig.',
    failed: 'Ihre Tickets konnten nicht an {{email}} gesandt werden, sind aber gültig.',
    none: 'Ihre Tickets können an {{email}} gesandt werden.',
  },
  tickets: {
    title: 'Meine Tickets',
    waitingLists: 'Wartelisten',
    none: 'Sie haben noch keine Tickets bestellt.',
    noneValid: 'Diese Tickets sind nicht mehr gültig.',
    received: 'Von anderen',
    openOrder: 'Bestellung öffnen',
  },
  ticket: {
    number: 'Ticket {{number}}',
    noEvent: 'Eine Veranstaltung, die nicht mehr verfügbar ist',
    tier: 'Ticket',
    attendee: 'Gast',
    checkedIn: 'Eingelassen',
    qr: 'QR-Code für den Einlass',
    details: 'Einzelheiten',
    code: 'Code',
    token: 'Token',
    contract: 'Vertrag',
    transaction: 'Transaktion',
    apple: 'Zu Apple Wallet hinzufügen',
    google: 'Zu Google Wallet hinzufügen',
    pdf: 'Als PDF speichern',
    held: 'Gültig',
    offered: 'Gültig, jemandem angeboten',
    admitted: 'Verwendet',
    moved: 'Übertragen',
    movedExplanation: 'Sie haben dieses Ticket jemand anderem übertragen.',
    refunded: 'Erstattet',
    refundedExplanation: 'Dieses Ticket ist nicht mehr gültig: Es wurde erstattet.',
    cancelled: 'Veranstaltung abgesagt',
    cancelledExplanation: 'Die Veranstaltung wurde abgesagt, und dieses Ticket ist nicht mehr gültig.',
    listed: 'Gültig, wird zurückgegeben',
  },
  attendee: {
    summary: 'Für wen ist dieses Ticket?',
    save: 'Namen speichern',
    name: 'Name',
    nameHint: 'Die Mitarbeiter am Einlass sehen diesen Namen.',
    email: 'E-Mail (freiwillig)',
  },
  transfer: {
    summary: 'Dieses Ticket übertragen',
    byToken:
      'Um dieses Ticket zu übertragen, senden Sie seinen Token. Der neue Besitzer des Tokens holt sich dann das Ticket.',
    submit: 'Ticket anbieten',
    email: 'E-Mail der anderen Person',
    emailHint: 'Nur das Konto mit dieser Adresse kann das Ticket annehmen. Ihr Code bleibt bis dahin gültig.',
    offeredTo: '{{email}} angeboten. Das Ticket bleibt Ihres, bis es auf {{page}} angenommen wird.',
    offerPage: 'der Seite des Angebots',
    withdraw: 'Angebot zurückziehen',
    title: 'Ein Ticket für Sie',
    isYours: 'Das Ticket für {{event}} gehört Ihnen.',
    seeTickets: 'Ihre Tickets ansehen',
    offer:
      '{{sender}} bietet Ihnen ein Ticket an: {{tier}}. Sie können es mit dem Konto von {{email}} annehmen.',
    accept: 'Ticket annehmen',
    otherAccount:
      'Sie sind als {{email}} angemeldet. Bitte melden Sie sich ab, und öffnen Sie den Link noch einmal.',
    signIn: 'Anmelden und annehmen',
    register: 'Registrieren',
  },
  claim: {
    title: 'Ein Ticket mit seinem Token holen',
    explanation:
      'Besitzen Sie den Token eines Tickets, das jemand anderes gekauft hat? Verbinden Sie das Wallet mit dem Token, und holen Sie sich dann das Ticket.',
    submit: 'Ticket holen',
    chain: 'ID der Chain',
    contract: 'Vertrag',
    token: 'Token-ID',
  },
  return: {
    button: 'Dieses Ticket zurückgeben',
    title: 'Ticket {{number}} zurückgeben?',
    offer: 'Der Warteliste anbieten',
    submit: 'Ticket zurückgeben',
    untilPaid:
      'Es bleibt gültig, bis jemand auf der Warteliste es bezahlt hat. Bis dahin können Sie es behalten.',
    final: 'Sein Code ist dann nicht mehr gültig. Das kann nicht rückgängig gemacht werden.',
    offered: 'Jemandem auf der Warteliste angeboten.',
    listed: 'Für die Warteliste eingetragen.',
    validUntilTaken: 'Ihr Ticket ist gültig, bis es jemand nimmt.',
    keep: 'Dieses Ticket behalten',
    keepTitle: 'Ticket {{number}} behalten?',
    keepSubmit: 'Behalten',
    keepTogether: 'Sie behalten die Tickets {{numbers}}, die Sie zusammen eingetragen haben.',
    keepOne: 'Es wird der Warteliste nicht mehr angeboten.',
    whole: 'Sie erhalten {{amount}} zurück.',
    part: 'Sie erhalten {{amount}} zurück; {{fee}} werden einbehalten.',
    wholeWhenTaken: 'Sie erhalten {{amount}} zurück, sobald es jemand nimmt.',
    partWhenTaken: 'Sie erhalten {{amount}} zurück, sobald es jemand nimmt; {{fee}} werden einbehalten.',
    until: 'Sie können es bis {{time}} zurückgeben.',
  },
  waiting: {
    title: 'Wartelisten',
    none: 'Sie stehen auf keiner Warteliste.',
    noEvent: 'Eine Veranstaltung, die nicht mehr angezeigt wird',
    held: 'Bis {{time}} für Sie reserviert.',
    take: 'Tickets nehmen',
    payWith: 'Bezahlen mit',
    decline: 'Ablehnen',
    leave: 'Von der Liste streichen',
    place: 'Sie sind auf Platz {{position}}.',
    far: 'Mehr als 1000 Personen sind vor Ihnen.',
    ordered: 'Sie haben das Angebot angenommen.',
    left: 'Sie haben die Liste verlassen.',
    ended: 'Ihr Platz ist verfallen.',
  },
  crypto: {
    title: 'Ihre Zahlung',
    lateTitle: 'Haben Sie trotzdem bezahlt?',
    otherChecked: 'Ihre andere Transaktion wird noch geprüft. Bitte bezahlen Sie nicht noch einmal.',
    notPaidYet: 'Noch nicht bezahlt?',
    payOnlyIf:
      'Bezahlen Sie nur, wenn Ihr Wallet zeigt, dass diese Transaktion fehlgeschlagen ist, ersetzt oder nie gesendet wurde.',
    paidByOther: 'Mit einer anderen Transaktion bezahlt?',
    paidAlready: 'Schon bezahlt?',
    look: 'Zahlung suchen',
    hash: 'Hash der Transaktion',
    hashHint: 'Ihr Wallet zeigt ihn: 0x und 64 Ziffern oder Buchstaben von a bis f.',
    exactly:
      'Bezahlen Sie {{exactly}} dies, in einer Transaktion. Geben Sie die Daten mit an, an denen Ihre Bestellung erkannt wird: Ohne sie kann die Zahlung nicht gefunden werden.',
    exactlyWord: 'genau',
    chain: 'Chain',
    amount: 'Betrag',
    address: 'Adresse',
    contract: 'Vertrag von {{symbol}}',
    data: 'Daten',
    tokenNote:
      'Die Daten sind ein Aufruf des Vertrags von {{symbol}}, der den Betrag an die Adresse überträgt. Senden Sie die Transaktion an den Vertrag, mit dem Wert 0 in der Münze der Chain.',
    noWallet:
      'In diesem Browser gibt es kein Wallet. Senden Sie die Zahlung aus einem anderen Wallet, oder installieren Sie hier eines und öffnen Sie diese Seite noch einmal.',
    unlinked:
      'Ihr Wallet bezahlt von {{account}}, aber {{linked}} ist das Wallet Ihres Kontos. Wählen Sie das Wallet Ihres Kontos und versuchen Sie es erneut, oder bezahlen Sie mit dem anderen.',
    confirmInWallet: 'Bestätigen Sie im Wallet …',
    pay: 'Aus meinem Wallet bezahlen',
    payFromOther: 'Aus dem anderen Wallet bezahlen',
    looking: 'Die Transaktion wird gesucht …',
    transaction: 'Transaktion {{hash}}',
    keepsChecking:
      'Diese Seite prüft von selbst weiter, und Sie können sie verlassen. Bitte bezahlen Sie nicht noch einmal.',
    unfit:
      'Diese Transaktion kann die Bestellung nicht bezahlen. Wenn Sie damit bezahlt haben, bezahlen Sie nicht noch einmal. Geben Sie sonst einen anderen Hash ein.',
    used: 'Geben Sie den Hash der Zahlung dieser Bestellung ein.',
    tooLittle: 'Wir prüfen die Zahlung. Bitte bezahlen Sie nicht noch einmal.',
  },
  walletProblems: {
    declined: 'Sie haben in Ihrem Wallet abgelehnt. Es wurde nichts bezahlt.',
    notAllowed:
      'Ihr Wallet erlaubt dieser Seite nicht, dieses Konto zu verwenden. Erlauben Sie es in Ihrem Wallet, und versuchen Sie es dann erneut.',
    unsupported:
      'Ihr Wallet kann das nicht. Senden Sie die Zahlung aus einem anderen Wallet, wie oben gezeigt.',
    disconnected: 'Ihr Wallet ist nicht verbunden. Verbinden Sie es, und versuchen Sie es dann erneut.',
    otherChain:
      'Ihr Wallet ist nicht mit {{chain}} verbunden. Verbinden Sie es, und versuchen Sie es dann erneut.',
    unknownChain:
      'Ihr Wallet kennt {{chain}} nicht. Fügen Sie die Chain dort hinzu, und versuchen Sie es erneut.',
    busy: 'Ihr Wallet wartet auf Ihre Antwort zu einer früheren Anfrage. Öffnen Sie es, und versuchen Sie es dann erneut.',
    other:
      'Ihr Wallet hat ein Problem gemeldet; oft reicht das Guthaben nicht für den Betrag und die Gebühr der Chain. Prüfen Sie im Wallet, ob die Zahlung gesendet wurde. Wenn ja, geben Sie unten ihren Hash ein und bezahlen Sie nicht noch einmal.',
  },
};
