/**
 * The sentences of notifications, by their topics. Without an entry, the API’s own are shown, which are English. Those about a
 * mail have a form for its kind.
 */
export const notifications = {
  'tickets-bought': {
    title: 'Kauf erfolgreich',
    message_one: 'Sie haben 1 Ticket für {{event}} gekauft.',
    message_other: 'Sie haben {{count}} Tickets für {{event}} gekauft.',
  },
  'payment-late': {
    title: 'Zahlung kam zu spät',
    message_one:
      'Ihre Zahlung für 1 Ticket für {{event}} kam nach dem Ende der Bestellung an und konnte nicht mehr angenommen werden. Sie erhalten Ihr Geld zurück.',
    message_other:
      'Ihre Zahlung für {{count}} Tickets für {{event}} kam nach dem Ende der Bestellung an und konnte nicht mehr angenommen werden. Sie erhalten Ihr Geld zurück.',
  },
  'payment-returned': {
    title: 'Zahlung zurückgegangen',
    message_one:
      'Ihre Zahlung für 1 Ticket für {{event}} ging an Sie zurück, bevor sie uns erreichte. Sie haben daher kein Ticket.',
    message_other:
      'Ihre Zahlung für {{count}} Tickets für {{event}} ging an Sie zurück, bevor sie uns erreichte. Sie haben daher keine Tickets.',
  },
  'event-cancelled': {
    title: 'Veranstaltung abgesagt',
    message: '{{event}} wurde abgesagt.',
  },
  'event-cancelled-refunded': {
    title: 'Veranstaltung abgesagt',
    message: '{{event}} wurde abgesagt. Sie erhalten Ihr Geld zurück.',
  },
  'held-ticket-cancelled': {
    title: 'Veranstaltung abgesagt',
    message: '{{event}} wurde abgesagt. Ihr Ticket ist nicht mehr gültig.',
  },
  'held-ticket-cancelled-refunded': {
    title: 'Veranstaltung abgesagt',
    message:
      '{{event}} wurde abgesagt. Ihr Ticket ist nicht mehr gültig; wer es gekauft hat, erhält das Geld zurück.',
  },
  'refund-sent': {
    title: 'Erstattung',
    message_one: '{{money}} für Ihr Ticket für {{event}} sind auf dem Weg zu Ihnen.',
    message_other: '{{money}} für Ihre {{count}} Tickets für {{event}} sind auf dem Weg zu Ihnen.',
  },
  'refund-promised': {
    title: 'Erstattung',
    message_one: 'Wir überweisen Ihnen {{money}} für Ihr Ticket für {{event}} zurück.',
    message_other: 'Wir überweisen Ihnen {{money}} für Ihre {{count}} Tickets für {{event}} zurück.',
  },
  'goodwill-sent': {
    title: 'Erstattung',
    message: '{{money}} für Ihre Bestellung für {{event}} sind auf dem Weg zu Ihnen.',
  },
  'goodwill-promised': {
    title: 'Erstattung',
    message: 'Wir überweisen Ihnen {{money}} für Ihre Bestellung für {{event}} zurück.',
  },
  'tickets-taken-back': {
    title: 'Tickets storniert',
    message_one: 'Wir haben Ihr Ticket für {{event}} zurückgenommen.',
    message_other: 'Wir haben Ihre {{count}} Tickets für {{event}} zurückgenommen.',
  },
  'tickets-reissued': {
    title: 'Tickets ziehen in ein anderes Wallet um',
    message_one:
      'Ihr Ticket für {{event}} ist in einigen Minuten im Wallet {{wallet}}. Der Einlasscode bleibt derselbe.',
    message_other:
      'Ihre {{count}} Tickets für {{event}} sind in einigen Minuten im Wallet {{wallet}}. Die Einlasscodes bleiben dieselben.',
  },
  'tickets-offered': {
    title: 'Tickets für Sie',
    message_one:
      '1 Ticket ({{tier}}) für {{event}} ist bis {{deadline}} für Sie reserviert. Kaufen Sie es, oder lehnen Sie das Angebot für die nächste Person ab.',
    message_other:
      '{{count}} Tickets ({{tier}}) für {{event}} sind bis {{deadline}} für Sie reserviert. Kaufen Sie sie, oder lehnen Sie das Angebot für die nächste Person ab.',
  },
  'offer-withdrawn': {
    title: 'Sie sind weiterhin auf der Warteliste',
    message:
      'Wer die Tickets für {{event}} zurückgeben wollte, hat sie behalten. Sie sind deshalb nicht mehr für Sie reserviert. Sie behalten Ihren Platz und erhalten die nächsten Tickets, die ausreichen.',
  },
  'waiting-ended-event-cancelled': {
    title: 'Sie sind nicht mehr auf der Warteliste',
    message: '{{event}} wurde abgesagt.',
  },
  'waiting-ended-not-bought': {
    title: 'Sie sind nicht mehr auf der Warteliste',
    message: 'Die Tickets für {{event}} waren für Sie reserviert, wurden aber nicht rechtzeitig gekauft.',
  },
  'waiting-ended-none-left': {
    title: 'Sie sind nicht mehr auf der Warteliste',
    message: 'Für {{event}} werden auf der Warteliste keine Tickets mehr angeboten.',
  },
  'tickets-unsold': {
    title_one: 'Ihr Ticket wurde nicht verkauft',
    title_other: 'Ihre Tickets wurden nicht verkauft',
    message_one:
      'Niemand auf der Warteliste hat Ihr Ticket für {{event}} gekauft. Es steht nicht mehr zum Verkauf und bleibt gültig: Sie können es weiterhin verwenden.',
    message_other:
      'Niemand auf der Warteliste hat Ihre Tickets für {{event}} gekauft. Sie stehen nicht mehr zum Verkauf und bleiben gültig: Sie können sie weiterhin verwenden.',
  },
  'tickets-of-order-unsold': {
    title_one: 'Ihr Ticket wurde nicht verkauft',
    title_other: 'Ihre Tickets wurden nicht verkauft',
    message_one:
      'Niemand auf der Warteliste hat Ticket {{numbers}} Ihrer Bestellung für {{event}} gekauft. Es steht nicht mehr zum Verkauf und bleibt gültig: Sie können es weiterhin verwenden.',
    message_other:
      'Niemand auf der Warteliste hat die Tickets {{numbers}} Ihrer Bestellung für {{event}} gekauft. Sie stehen nicht mehr zum Verkauf und bleiben gültig: Sie können sie weiterhin verwenden.',
  },
  'ticket-handed-over': {
    title: 'Ticket weitergegeben',
    message: '{{receiver}} hat Ihr Ticket für {{event}} angenommen.',
  },
  'ticket-claimed': {
    title: 'Ticket übernommen',
    message:
      'Wem der Token jetzt gehört, hat Ihr Ticket für {{event}} übernommen. Ihr Code dafür ist nicht mehr gültig.',
  },
  'work-at-door': {
    title: 'Sie arbeiten bei {{event}} mit',
    message: 'Sie können jetzt am Einlass von {{event}} Tickets prüfen.',
  },
  'work-as-manager': {
    title: 'Sie arbeiten bei {{event}} mit',
    message: 'Sie können jetzt {{event}} verwalten und am Einlass Tickets prüfen.',
  },
  'payout-failed': {
    title: 'Auszahlung fehlgeschlagen',
    message:
      '{{money}} konnten nicht auf Ihr Bankkonto überwiesen werden. Der Betrag ist wieder verfügbar. Bitte prüfen Sie das Konto, und fordern Sie dann eine neue Auszahlung an.',
  },
  'contract-not-authorized': {
    title: 'Tickets können nicht geprägt werden',
    message:
      'Die Tickets für {{event}} sind verkauft, aber nicht geprägt: Weisen Sie nach, dass Sie den Vertrag {{contract}} verwalten, oder bitten Sie die Plattform, ihn Ihnen zuzuordnen. Danach werden sie ohne weitere Schritte geprägt.',
  },
  'mail-failed': {
    title: 'E-Mail nicht zugestellt',
    message: 'Eine E-Mail an Sie konnte nicht zugestellt werden.',
    'message_order-paid':
      'Wir konnten Ihnen Ihre Tickets nicht mailen. Bitte prüfen Sie die Adresse der Bestellung; die Tickets sind auch in Ihrem Konto.',
    'message_payment-too-late':
      'Wir konnten Ihnen nicht mailen, dass Ihre Zahlung zu spät kam. Sie erhalten Ihr Geld zurück.',
    'message_order-refunded': 'Wir konnten Ihnen nicht mailen, dass Ihre Bestellung erstattet wurde.',
    'message_event-cancelled':
      'Wir konnten Ihnen nicht mailen, dass die Veranstaltung abgesagt wurde. Bitte sehen Sie in Ihre Bestellung.',
    'message_event-rescheduled':
      'Wir konnten Ihnen nicht mailen, dass sich der Termin oder der Ort einer Veranstaltung geändert hat. Bitte sehen Sie auf ihre Seite.',
    'message_received-ticket-changed':
      'Wir konnten Ihnen nicht mailen, dass eine Veranstaltung verlegt oder abgesagt wurde, für die Sie ein Ticket haben. Bitte sehen Sie auf ihre Seite.',
    'message_ticket-offered':
      'Wir konnten Ihr Angebot eines Tickets nicht mailen. Bitte prüfen Sie die Adresse, oder senden Sie den Link selbst.',
    'message_ticket-received':
      'Wir konnten Ihnen das Ticket nicht mailen, das Sie angenommen haben. Es ist in Ihrem Konto.',
    'message_waiting-list-offered':
      'Wir konnten Ihnen nicht mailen, dass Tickets für Sie reserviert sind. Ihre Plätze auf Wartelisten zeigen das Angebot.',
    'message_waiting-list-ended':
      'Wir konnten Ihnen nicht mailen, dass Sie nicht mehr auf einer Warteliste sind.',
    'message_listing-ended':
      'Wir konnten Ihnen nicht mailen, dass Ihre Tickets nicht verkauft wurden. Sie bleiben gültig.',
    'message_payout-sent': 'Wir konnten Ihnen nicht mailen, dass Ihre Auszahlung überwiesen wurde.',
    'message_payout-failed': 'Wir konnten Ihnen nicht mailen, dass Ihre Auszahlung fehlgeschlagen ist.',
    'message_staff-invited':
      'Wir konnten Ihre Einladung an jemanden, der mitarbeiten soll, nicht mailen. Bitte prüfen Sie die Adresse.',
    'message_new-device':
      'Wir konnten Ihnen nicht mailen, dass sich ein neues Gerät bei Ihrem Konto angemeldet hat. Bitte prüfen Sie die Sitzungen in Ihrem Konto.',
    'message_factors-changed':
      'Wir konnten Ihnen nicht mailen, dass sich die Passkeys, die Authentifizierungs-App oder die API-Schlüssel Ihres Kontos geändert haben. Bitte prüfen Sie sie in Ihrem Konto.',
    'message_wallet-linked':
      'Wir konnten Ihnen nicht mailen, dass ein Wallet mit Ihrem Konto verbunden wurde.',
    'message_webhook-disabled': 'Wir konnten Ihnen nicht mailen, dass ein Webhook abgeschaltet wurde.',
    'message_order-links': 'Wir konnten Ihnen die Links zu Ihren Bestellungen nicht mailen.',
    'message_password-reset': 'Wir konnten Ihnen den Link für ein neues Passwort nicht mailen.',
    'message_email-change':
      'Wir konnten den Link nicht an Ihre neue Adresse mailen. Bitte prüfen Sie die Adresse.',
    'message_email-undo': 'Wir konnten Ihrer früheren Adresse nicht mailen, dass Sie eine andere haben.',
    'message_new-bank-account':
      'Wir konnten Ihnen nicht mailen, dass eine Auszahlung auf ein neues Bankkonto angefordert wurde. Bitte sehen Sie in Ihre Auszahlungen.',
    'message_address-confirmation':
      'Wir konnten Ihnen den Link zum Bestätigen Ihrer Adresse nicht mailen. Bitte prüfen Sie die Adresse.',
  },
};
