import * as z from 'zod';
import { textColorOn } from '../../core/color.ts';
import { filledText, identifier, text, time, toView } from '../../core/schemas.ts';
import { type Event, fonts, organizerMark } from '../events/event.ts';

/** Names under which the shop itself would seem to speak. */
const reservedSlugs = new Set([
  'about',
  'account',
  'admin',
  'administrator',
  'api',
  'boxoffice',
  'contact',
  'docs',
  'edit',
  'events',
  'help',
  'legal',
  'login',
  'me',
  'new',
  'null',
  'official',
  'organizer',
  'organizers',
  'page',
  'privacy',
  'security',
  'shop',
  'staff',
  'support',
  'terms',
  'tickets',
  'undefined',
  'www',
]);

const slug = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9](?:-?[a-z0-9]){2,39}$/,
    'must have 3 to 40 letters from a to z, digits, and single hyphens between them',
  )
  .max(40)
  .refine((value) => !reservedSlugs.has(value), 'is a reserved word: choose another one')
  .meta({ description: 'The end of the page’s address, `/o/<slug>`', examples: ['old-station'] });

const contact = z
  .string()
  .trim()
  .max(200)
  .refine(
    (value) => z.email().safeParse(value).success || isWebAddress(value),
    'must be an e-mail address, or an address that begins with https://',
  )
  .meta({ description: 'An e-mail address, or an https address', examples: ['hello@old-station.example'] });

function isWebAddress(value: string): boolean {
  const url = URL.parse(value);
  // A user name looks like the host.
  return /^https:\/\/\S+$/i.test(value) && url !== null && !url.username && !url.password;
}

/** Returns whether an address is that of an uploaded picture. On a developer's machine it begins with http:// */
const isPictureAddress = (value: string) =>
  /^https?:\/\/[\w.:-]+\/api\/pictures\/[\w-]+\/\w+\/1600$/.test(value);

const pageFields = z.object({
  slug,
  name: filledText(100).meta({ description: 'Shown to buyers' }),
  about: text(5000).default('').meta({ description: 'Markdown, without HTML. Default: empty' }),
  contact: contact.nullable().default(null),
  accent: z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'must be a color such as #a62b1f')
    .nullable()
    .default(null)
    .meta({
      description:
        'The color of buttons, tickets and passes, `#rrggbb`. Every color is allowed: text on it is black or white, whichever has more contrast',
    }),
  logoUrl: z
    .string()
    .trim()
    .max(500)
    .refine(
      (value) => isWebAddress(value) || isPictureAddress(value),
      'must be an address that begins with https://',
    )
    .nullable()
    .default(null)
    .meta({ description: 'The https address of a picture, shown with the name' }),
  font: z.enum(fonts).nullable().default(null).meta({
    description: 'The family of letters of the page and of its events. Default: the shop’s',
  }),
});

export const pageInput = pageFields.meta({
  examples: [
    { slug: 'old-station', name: 'Old Station', contact: 'hello@old-station.example', accent: '#0b6e4f' },
  ],
});
export type PageInput = z.infer<typeof pageInput>;

const versioned = z.object({
  organizerId: z.string(),
  /** The number of changes. Events copy it with what they show of the page. */
  version: z.number(),
});

const organizerPage = versioned.extend({
  ...pageFields.shape,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type OrganizerPage = z.infer<typeof organizerPage>;

/**
 * What is left of a deleted page. Without its version, events would keep a copy of the page that arrives late, and the
 * next page would begin with a version that they have already.
 */
const deletedPage = versioned.extend({ deletedAt: z.string() });
export type DeletedPage = z.infer<typeof deletedPage>;
export type StoredPage = OrganizerPage | DeletedPage;

/** Parses a stored item as a page, or what is left of it. @throws ZodError for any other item */
export function toStoredPage(item: unknown): StoredPage {
  return z.union([organizerPage, deletedPage]).parse(item);
}

/** Returns the page; undefined for a deleted one. */
export function toExistingPage(stored: StoredPage | undefined): OrganizerPage | undefined {
  return stored && 'slug' in stored ? stored : undefined;
}

const accentText = z
  .string()
  .nullable()
  .meta({ description: 'The color of text on `accent`: black or white', examples: ['#ffffff'] });

/** The organizer as an event shows them. */
export const organizerMarkView = z.object({ ...organizerMark.shape, accentText }).meta({ id: 'Organizer' });

/** Returns what an event shows of its organizer; undefined without a page. */
export function toOrganizerMarkView({ organizer }: Pick<Event, 'organizer'>) {
  return organizer && { ...organizer, accentText: toAccentText(organizer) };
}

export const organizerPageView = z
  .object({
    organizerId: identifier,
    slug: z.string().meta({ examples: ['old-station'] }),
    name: z.string().meta({ examples: ['Old Station'] }),
    about: z.string().meta({ description: 'Markdown, without HTML' }),
    contact: z.string().nullable().meta({ description: 'An e-mail address, or an https address' }),
    accent: z
      .string()
      .nullable()
      .meta({ description: '`#rrggbb`', examples: ['#0b6e4f'] }),
    accentText,
    logoUrl: organizerMark.shape.logoUrl,
    font: organizerMark.shape.font,
    updatedAt: time,
  })
  .meta({ id: 'OrganizerPage' });

export function toOrganizerPageView(page: OrganizerPage) {
  return toView(organizerPageView, page, { accentText: toAccentText(page) });
}

const toAccentText = ({ accent }: { accent: string | null }) => accent && textColorOn(accent);

/** Returns the fields of an event that are copied from its organizer's page. A deleted one leaves its version. */
export function toEventFields(stored: StoredPage | undefined): Partial<Event> {
  if (!stored) return {};
  const page = toExistingPage(stored);
  return { organizer: page && organizerMark.parse(page), organizerVersion: stored.version };
}
