/**
 * What the API says about fields, by its English words after the field's name, with `#` in place of numbers and currencies.
 * `other` is for what has no entry. {{value}} is the last number or currency.
 */
export const fields: Record<string, string> = {
  'is required': 'Bitte ausfüllen',
  'must not be empty': 'Bitte ausfüllen',
  'must have at least # characters': 'Bitte mindestens {{value}} Zeichen',
  'must have at most # characters': 'Bitte höchstens {{value}} Zeichen',
  'must have at most # entries': 'Bitte höchstens {{value}} Einträge',
  'must be at least #': 'Bitte mindestens {{value}}',
  'must be more than #': 'Bitte mehr als {{value}}',
  'must be at most #': 'Bitte höchstens {{value}}',
  'must be a whole number': 'Bitte eine ganze Zahl',
  'must be at most #, with at most two decimals': 'Bitte höchstens 100, mit höchstens zwei Nachkommastellen',
  'has more decimals than # allows': 'Das sind mehr Nachkommastellen, als {{value}} hat',
  'must not contain control characters': 'Bitte ohne Steuerzeichen',
  'must be a valid address': 'Das ist keine gültige Wallet-Adresse',
  'must be a transaction hash': 'Das ist kein Transaktions-Hash',
  'must be an # # time': 'Bitte Datum und Uhrzeit angeben',
  'must be an # time zone': 'Diese Zeitzone gibt es nicht',
  'must be an http, https or ipfs address':
    'Bitte eine Adresse, die mit https://, http:// oder ipfs:// beginnt',
  'must be an https address': 'Bitte eine Adresse, die mit https:// beginnt',
  'must be an address that begins with https://': 'Bitte eine Adresse, die mit https:// beginnt',
  'must be an e-mail address, or an address that begins with https://':
    'Bitte eine E-Mail-Adresse oder eine Adresse, die mit https:// beginnt',
  'must not contain a user name or a password': 'Bitte eine Adresse ohne Benutzernamen und Passwort',
  'must be reachable from the internet': 'Diese Adresse ist aus dem Internet nicht erreichbar',
  'must have # to # letters from a to z, digits, and single hyphens between them':
    'Bitte 3 bis 40 Buchstaben von a bis z, Ziffern und einzelne Bindestriche dazwischen',
  'is a reserved word: choose another one': 'Dieses Wort ist vergeben. Bitte wählen Sie ein anderes',
  'must be # to # letters, digits and dashes': 'Bitte 2 bis 40 Buchstaben, Ziffern und Bindestriche',
  'must have # to # letters and digits': 'Bitte 6 bis 34 Buchstaben und Ziffern',
  'must have # to # letters, digits, hyphens or underscores':
    'Bitte 2 bis 20 Buchstaben, Ziffern, Bindestriche oder Unterstriche',
  'must be a country code such as NG': 'Bitte einen Ländercode wie DE',
  'must not be before startDate': 'Das Ende liegt vor dem Anfang',
  'must not be before eventDate': 'Das Ende liegt vor dem Anfang',
  'must not be before saleStart': 'Das liegt vor dem Anfang des Verkaufs',
  'must not be before validFrom': 'Das Ende liegt vor dem Anfang',
  'must not be before opensAt, and must be before until':
    'Die Auslosung liegt nicht zwischen dem Öffnen und dem Ende der Warteschlange',
  'must be between opensAt and until':
    'Die Auslosung liegt nicht zwischen dem Öffnen und dem Ende der Warteschlange',
  'must have at least two different entries for choice and multiple, and none for other kinds':
    'Bitte mindestens zwei verschiedene Antworten zur Auswahl',
  'must be in the future': 'Bitte eine Zeit in der Zukunft',
  'Invalid email format': 'Das ist keine gültige E-Mail-Adresse',
  'Password is required': 'Bitte ausfüllen',
  'Password must have at least # bytes': 'Bitte mindestens {{value}} Zeichen',
  'Password must have at most # bytes': 'Das Passwort ist zu lang',
  'Enter the e-mail address of another person': 'Bitte die E-Mail-Adresse einer anderen Person',
  'Please take at least # tickets of this tier': 'Bitte mindestens {{value}} Tickets dieser Kategorie',
  other: 'Bitte prüfen Sie diese Angabe',
};
