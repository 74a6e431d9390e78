import type { Event } from 'boxoffice-client';
import { inWidth } from '../pictures.ts';
import { t } from '../texts/shop.ts';

/** The organizer of an event, with a link to their page and a way to reach them. */
export function OrganizedBy({ organizer }: Pick<Event, 'organizer'>) {
  if (!organizer) return null;
  const { slug, name, contact, logoUrl } = organizer;
  return (
    <p>
      {logoUrl && <img class="logo" src={inWidth(logoUrl, 400)} alt="" />}
      {t('organizer.by', { name: <a href={`/o/${slug}`}>{name}</a> })}
      {contact && (
        <>
          <br />
          <Contact contact={contact} />
        </>
      )}
    </p>
  );
}

/** A link to an e-mail address or a web page. */
export function Contact({ contact }: { contact: string }) {
  const isWebAddress = /^https:/i.test(contact);
  return (
    <a
      href={isWebAddress ? contact : `mailto:${contact}`}
      {...(isWebAddress && { target: '_blank', rel: 'noreferrer nofollow ugc' })}
    >
      {contact.replace(/^https:\/\/|\/$/gi, '')}
    </a>
  );
}
