import type { en } from './en.ts';

/** The texts of mails, and of printed tickets, invoices and passes, in German. */
export const de: typeof en = {
  code: 'Einlasscode: {{code}}',
  codeImage: 'QR-Code von {{title}}. Der Einlasscode lautet {{code}}',
  address: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  facts: {
    when: 'Wann',
    where: 'Wo',
    ticket: 'Ticket',
    tickets: 'Tickets',
    paid: 'Bezahlt',
    free: 'Nichts: kostenlos',
    amount: 'Betrag',
    reference: 'Referenz',
  },
  print: {
    title: 'Tickets für {{event}}',
    name: 'Name',
    order: 'Bestellung',
    note: 'Der Code gilt einmal, für eine Person. Bitte geben Sie ihn nicht weiter.',
  },
  invoice: {
    invoice: 'Rechnung {{number}}',
    creditNote: 'Gutschrift {{number}}',
    date: 'Datum',
    for: 'Zu',
    forInvoice: 'Rechnung {{number}} vom {{date}}',
    event: 'Veranstaltung',
    seller: 'Verkäufer',
    taxNumber: 'Steuernummer {{number}}',
    buyer: 'Käufer',
    what: 'Leistung',
    tax: 'Steuer',
    fee: 'Servicegebühr der Plattform',
    total: 'Gesamt',
    totalCredited: 'Gutgeschrieben',
    includes: 'Enthält {{percent}} % Steuer: {{tax}} auf einen Nettobetrag von {{net}}',
  },
  pass: {
    description: 'Ticket für {{event}}',
    number: '{{number}} von {{quantity}}',
    status: 'Status',
    used: 'Benutzt',
    refunded: 'Erstattet',
    cancelled: 'Abgesagt',
  },
  openOrder: 'Bestellung öffnen',
  openTickets: 'Meine Tickets öffnen',
  moneyBack: 'Sie erhalten {{money}} zurück. Wir schreiben Ihnen, sobald der Betrag unterwegs ist.',
  paid: {
    subject_one: 'Ihr Ticket für {{event}}',
    subject_other: 'Ihre Tickets für {{event}}',
    summary_one:
      'Sie haben 1 Ticket für {{event}}. Zeigen Sie den QR-Code am Einlass, auf dem Telefon oder auf Papier.',
    summary_other:
      'Sie haben {{count}} Tickets für {{event}}. Zeigen Sie die QR-Codes am Einlass, auf dem Telefon oder auf Papier.',
    ticket: 'Ticket {{number}} von {{quantity}}',
    others_one: 'Ihr weiteres Ticket finden Sie in Ihrer Bestellung.',
    others_other: 'Ihre weiteren {{count}} Tickets finden Sie in Ihrer Bestellung.',
    note: 'In Ihrer Bestellung finden Sie die Tickets auch als PDF-Datei. Jeder Code gilt einmal für eine Person. Geben Sie diese E-Mail nicht weiter.',
  },
  late: {
    subject: 'Ihre Zahlung kam zu spät: {{event}}',
    summary_one:
      'Ihre Zahlung für 1 Ticket für {{event}} kam nach dem Ende der Bestellung an und konnte nicht mehr angenommen werden.',
    summary_other:
      'Ihre Zahlung für {{count}} Tickets für {{event}} kam nach dem Ende der Bestellung an und konnte nicht mehr angenommen werden.',
    reasons: {
      'event-cancelled': 'Die Veranstaltung wurde abgesagt.',
      'sold-out': 'Die Tickets waren ausverkauft, als die Zahlung ankam.',
      'too-few-left': 'Es waren zu wenige Tickets übrig, als die Zahlung ankam.',
      'tier-limit': 'Die Höchstzahl dieser Tickets pro Person war erreicht, als die Zahlung ankam.',
      'wallet-limit': 'Die Höchstzahl von Tickets pro Person war erreicht, als die Zahlung ankam.',
      'not-on-sale':
        'Die Tickets wurden nicht mehr zu den Bedingungen der Bestellung verkauft, als die Zahlung ankam.',
      'sale-ended': 'Der Verkauf war beendet, als die Zahlung ankam.',
      'code-used-up': 'Der Rabattcode war aufgebraucht, als die Zahlung ankam.',
      'discount-expired': 'Der Rabattcode war abgelaufen, als die Zahlung ankam.',
      'kyc-required':
        'Die Veranstaltung verlangt eine geprüfte Identität, die fehlte, als die Zahlung ankam.',
    },
  },
  cancelled: {
    subject: 'Abgesagt: {{event}}',
    summary_one: '{{event}} wurde abgesagt. Ihr Ticket ist nicht mehr gültig.',
    summary_other: '{{event}} wurde abgesagt. Ihre Tickets sind nicht mehr gültig.',
    holderOfPaid:
      '{{event}} wurde abgesagt. Ihr Ticket ist nicht mehr gültig; wer es gekauft hat, erhält das Geld zurück.',
  },
  refund: {
    subject: 'Erstattung: {{event}}',
    sent_one: '{{money}} für Ihr Ticket für {{event}} sind auf dem Weg zu Ihnen.',
    sent_other: '{{money}} für Ihre {{count}} Tickets für {{event}} sind auf dem Weg zu Ihnen.',
    sentForOrder: '{{money}} für Ihre Bestellung für {{event}} sind auf dem Weg zu Ihnen.',
    promised_one: 'Wir überweisen Ihnen {{money}} für Ihr Ticket für {{event}} zurück.',
    promised_other: 'Wir überweisen Ihnen {{money}} für Ihre {{count}} Tickets für {{event}} zurück.',
    promisedForOrder: 'Wir überweisen Ihnen {{money}} für Ihre Bestellung für {{event}} zurück.',
    invalid_one: 'Das Ticket ist nicht mehr gültig.',
    invalid_other: 'Die Tickets sind nicht mehr gültig.',
    valid: 'Ihre Tickets bleiben gültig.',
    nothingSubject: 'Tickets storniert: {{event}}',
    nothing_one: 'Wir haben Ihr Ticket für {{event}} zurückgenommen. Es war kostenlos.',
    nothing_other: 'Wir haben Ihre {{count}} Tickets für {{event}} zurückgenommen. Sie waren kostenlos.',
  },
  moved: {
    subject: 'Neuer Termin oder Ort: {{event}}',
    summary:
      'Der Termin oder der Ort von {{event}} wurde vom Veranstalter geändert. Das sind die neuen Angaben.',
    valid_one: 'Ihr Ticket bleibt gültig, mit demselben Code.',
    valid_other: 'Ihre Tickets bleiben gültig, mit denselben Codes.',
  },
  unsold: {
    subject_one: 'Ihr Ticket wurde nicht verkauft: {{event}}',
    subject_other: 'Ihre Tickets wurden nicht verkauft: {{event}}',
    whole_one:
      'Niemand auf der Warteliste hat Ihr Ticket für {{event}} gekauft. Es steht nicht mehr zum Verkauf und bleibt gültig: Sie können es weiterhin verwenden.',
    whole_other:
      'Niemand auf der Warteliste hat Ihre Tickets für {{event}} gekauft. Sie stehen nicht mehr zum Verkauf und bleiben gültig: Sie können sie weiterhin verwenden.',
    part_one:
      'Niemand auf der Warteliste hat Ticket {{numbers}} Ihrer Bestellung für {{event}} gekauft. Es steht nicht mehr zum Verkauf und bleibt gültig: Sie können es weiterhin verwenden.',
    part_other:
      'Niemand auf der Warteliste hat die Tickets {{numbers}} Ihrer Bestellung für {{event}} gekauft. Sie stehen nicht mehr zum Verkauf und bleiben gültig: Sie können sie weiterhin verwenden.',
  },
  links: {
    subject: 'Ihre Bestellungen',
    summary: 'Jemand, vermutlich Sie, hat die Links zu Ihren Bestellungen angefordert.',
    order_one: '{{event}}: 1 Ticket, {{reference}}',
    order_other: '{{event}}: {{count}} Tickets, {{reference}}',
    open: 'Bestellung öffnen',
    note: 'Wer einen Link hat, kann die Bestellung öffnen. Geben Sie diese E-Mail nicht weiter.',
  },
  received: {
    subject: 'Ihr Ticket für {{event}}',
    summary:
      'Sie haben ein Ticket für {{event}} angenommen. Zeigen Sie den QR-Code am Einlass, auf dem Telefon oder auf Papier.',
    ticket: 'Ihr Ticket',
    note: 'Der Code gilt einmal für eine Person. Frühere Codes dieses Tickets sind nicht mehr gültig. Geben Sie diese E-Mail nicht weiter.',
  },
  offered: {
    subject: 'Ein Ticket für {{event}} für Sie',
    summary: '{{sender}} bietet Ihnen ein Ticket für {{event}} an.',
    how: 'Um es anzunehmen, melden Sie sich mit {{email}} an oder registrieren Sie sich damit. Das Ticket gehört dann Ihnen und hat einen eigenen Code.',
    accept: 'Ticket annehmen',
    otherwise: 'Wenn Sie es nicht möchten, müssen Sie nichts tun.',
  },
  waiting: {
    subject: 'Tickets für Sie: {{event}}',
    summary_one: '1 Ticket ({{tier}}) für {{event}} ist bis {{deadline}} für Sie reserviert.',
    summary_other: '{{count}} Tickets ({{tier}}) für {{event}} sind bis {{deadline}} für Sie reserviert.',
    take: 'Kaufen oder ablehnen',
    otherwise:
      'Wenn Sie sie nicht rechtzeitig kaufen oder ablehnen, werden sie der nächsten Person auf der Liste angeboten.',
    endedSubject: 'Nicht mehr auf der Warteliste: {{event}}',
    eventCancelled: '{{event}} wurde abgesagt.',
    notBought: 'Die Tickets für {{event}} waren für Sie reserviert, wurden aber nicht rechtzeitig gekauft.',
    noneLeft: 'Für {{event}} werden auf der Warteliste keine Tickets mehr angeboten.',
    openEvent: 'Veranstaltung öffnen',
  },
  account: {
    newPassword: 'Neues Passwort festlegen',
    openAccount: 'Konto öffnen',
    link: 'Der Link gilt einmal und {{duration}} lang. {{note}}',
    minutes_one: '{{count}} Minute',
    minutes_other: '{{count}} Minuten',
    hours_one: '{{count}} Stunde',
    hours_other: '{{count}} Stunden',
    days_one: '{{count}} Tag',
    days_other: '{{count}} Tage',
    links: {
      'password-reset': {
        subject: 'Neues Passwort',
        summary: 'Jemand, vermutlich Sie, hat ein neues Passwort für Ihr Konto angefordert.',
        button: 'Neues Passwort wählen',
        note: 'Falls Sie es nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.',
      },
      'address-confirmation': {
        subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
        summary: 'Bitte bestätigen Sie, dass diese Adresse Ihnen gehört, damit Ihre Tickets Sie erreichen.',
        button: 'Adresse bestätigen',
        note: 'Falls Sie kein Konto bei uns haben, ignorieren Sie diese E-Mail: Sonst geschieht nichts.',
      },
      'email-change': {
        subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
        summary: 'Jemand, vermutlich Sie, möchte diese Adresse für ein Konto bei uns verwenden.',
        button: 'Diese Adresse verwenden',
        note: 'Falls Sie es nicht waren, ignorieren Sie diese E-Mail: Sonst geschieht nichts.',
      },
      'email-undo': {
        subject: 'Ihre E-Mail-Adresse wurde geändert',
        summary: 'Ihr Konto hat jetzt eine andere E-Mail-Adresse, und wir schreiben nicht mehr an diese.',
        button: 'Das war ich nicht: rückgängig machen',
        note: 'Das beendet auch Ihr Passwort, meldet jedes Gerät ab, trennt Ihr Wallet vom Konto und hält Auszahlungen auf neue Bankkonten an. Auch API-Schlüssel, Webhooks und Mitarbeiter, die seitdem hinzugefügt oder geändert wurden, enden. Falls Sie es waren, ignorieren Sie diese E-Mail.',
      },
      'new-bank-account': {
        subject: 'Auszahlung auf ein neues Bankkonto',
        summary:
          'Von Ihrem Konto wurde eine Auszahlung auf ein Bankkonto angefordert, das Sie noch nicht verwendet haben. Sie wartet, damit Sie sie anhalten können.',
        button: 'Anhalten und überall abmelden',
        note: 'Falls Sie es waren, ignorieren Sie diese E-Mail. Andernfalls halten Sie die Auszahlung an, und legen Sie ein neues Passwort fest.',
      },
    },
    wallet: {
      subject: 'Ein Wallet wurde mit Ihrem Konto verbunden',
      summary:
        'Neue Tickets gehen an das Wallet {{wallet}}, und wem es gehört, kann sich bei Ihrem Konto anmelden.',
      note: 'Falls Sie es nicht waren, legen Sie ein neues Passwort fest. Das trennt auch das Wallet vom Konto.',
    },
    device: {
      subject: 'Ein neues Gerät hat sich bei Ihrem Konto angemeldet',
      summary: 'Bei Ihrem Konto hat sich ein neues Gerät angemeldet: {{device}}, {{time}}.',
      summaryWithPlace:
        'Bei Ihrem Konto hat sich ein neues Gerät angemeldet: {{device}} in {{place}}, {{time}}.',
      note: 'Falls Sie es waren, ignorieren Sie diese E-Mail. Andernfalls legen Sie ein neues Passwort fest: Das meldet jedes Gerät ab.',
    },
    changes: {
      'passkey-added': {
        subject: 'Ein Passkey wurde Ihrem Konto hinzugefügt',
        summary: 'Mit dem neuen Passkey kann man sich bei Ihrem Konto anmelden.',
      },
      'passkey-removed': {
        subject: 'Ein Passkey wurde aus Ihrem Konto entfernt',
        summary: 'Mit diesem Passkey kann sich niemand mehr bei Ihrem Konto anmelden.',
      },
      'totp-added': {
        subject: 'Eine Authentifizierungs-App wurde Ihrem Konto hinzugefügt',
        summary: 'Ihr Konto fragt jetzt nach einem Code dieser App.',
      },
      'totp-removed': {
        subject: 'Die Authentifizierungs-App wurde aus Ihrem Konto entfernt',
        summary: 'Ihr Konto fragt nicht mehr nach Codes der App.',
      },
      'key-added': {
        subject: 'Ein API-Schlüssel wurde Ihrem Konto hinzugefügt',
        summary: 'Programme mit dem Schlüssel können ohne Anmeldung lesen oder ändern, was er erlaubt.',
      },
      'endpoint-added': {
        subject: 'Eine Webhook-Adresse wurde Ihrem Konto hinzugefügt',
        summary:
          'Was mit Ihren Bestellungen und Veranstaltungen geschieht, wird ab jetzt an diese Adresse gesendet.',
      },
      'manager-added': {
        subject: 'Jemand verwaltet jetzt Ihre Veranstaltung mit',
        summary:
          'Diese Person kann die Veranstaltung ändern und absagen, ihre Bestellungen lesen und sie erstatten. Die Liste der Mitarbeiter zeigt, wer es ist.',
      },
      'tickets-reissued': {
        subject: 'Ihre Tickets gehen an eine andere Wallet',
        summary:
          'Die NFTs einer Bestellung werden vernichtet und neu für eine andere Wallet erzeugt. Die Bestellung und Ihre Mitteilungen zeigen, für welche.',
      },
      'wallet-entered': {
        subject: 'Ihre Tickets gehen jetzt an eine andere Wallet',
        summary:
          'Für Ihr Konto wurde eine Wallet eingetragen, an die neue Tickets gehen. Ihre Kontoseite zeigt, welche. Ein neues Passwort über „Passwort vergessen?“ entfernt sie.',
      },
      'order-wallet-entered': {
        subject: 'Die Tickets einer Bestellung gehen an eine Wallet',
        summary:
          'Für eine Ihrer Bestellungen wurde eine Wallet eingetragen, an die ihre Tickets gehen. Die Bestellung zeigt, welche.',
      },
      'recent-removed': {
        subject: 'Ihr neuer Passkey oder Ihre neue Authentifizierungs-App wurde entfernt',
        summary:
          'Was Ihrem Konto in den letzten sieben Tagen hinzugefügt wurde, gilt nicht mehr für die Anmeldung, da das Konto mit einem Link aus einer unserer E-Mails wiederhergestellt wurde. Ihre Auszahlungen warten 72 Stunden.',
      },
      reset: {
        subject: 'Ihre Anmeldung in zwei Schritten wurde zurückgesetzt',
        summary:
          'Wir haben die Passkeys, die Authentifizierungs-App und die Wiederherstellungscodes Ihres Kontos entfernt und jedes Gerät abgemeldet. Ihre Auszahlungen warten 72 Stunden.',
      },
    },
    unexpectedReset: 'Falls Sie nicht darum gebeten haben, sagen Sie uns sofort Bescheid.',
    unexpectedChange:
      'Falls Sie es nicht waren, legen Sie innerhalb von sieben Tagen ein neues Passwort fest. Das meldet jedes Gerät ab und entfernt die Passkeys und Authentifizierungs-Apps der letzten sieben Tage. Entfernen Sie danach die API-Schlüssel, Webhooks und Mitarbeiter, die nicht von Ihnen sind.',
    endpoint: {
      subject: 'An {{host}} wird nichts mehr gesendet',
      summary: 'Wir senden keine Webhooks mehr an {{host}}. {{reason}}',
      gone: 'Die Adresse hat geantwortet, dass es sie nicht mehr gibt.',
      failing: 'Die Adresse hat fünf Tage lang nicht funktioniert.',
      note: 'Schalten Sie sie wieder ein, sobald sie funktioniert. Was sie verpasst hat, wird 30 Tage lang aufbewahrt: Wer für Sie entwickelt, kann es mit „GET /api/occurrences“ lesen.',
      button: 'Integrationen öffnen',
    },
    invitation: {
      subject: 'Sie sind eingeladen, bei {{event}} mitzuarbeiten',
      door: '{{organizer}} veranstaltet {{event}} und lädt Sie ein, am Einlass Tickets zu prüfen.',
      manager: '{{organizer}} veranstaltet {{event}} und lädt Sie ein, die Veranstaltung zu verwalten.',
      how: 'Melden Sie sich mit {{email}} an, oder registrieren Sie sich damit, und bestätigen Sie diese Adresse. Dann finden Sie die Veranstaltung unter „Mitarbeit“.',
      button: 'Anmelden',
      otherwise: 'Falls Sie das nicht erwarten, müssen Sie nichts tun.',
    },
    payouts: {
      'payout-sent': {
        subject: 'Auszahlung überwiesen: {{money}}',
        summary: '{{money}} wurden auf Ihr Konto mit den Endziffern {{digits}} überwiesen.',
        note: 'Bei Banken kann es einige Tage dauern, bis der Betrag zu sehen ist.',
      },
      'payout-failed': {
        subject: 'Auszahlung fehlgeschlagen: {{money}}',
        summary:
          '{{money}} konnten nicht auf Ihr Konto mit den Endziffern {{digits}} überwiesen werden. Der Betrag ist wieder verfügbar.',
        note: 'Bitte prüfen Sie das Konto, und fordern Sie dann eine neue Auszahlung an.',
      },
      button: 'Guthaben öffnen',
    },
  },
};
