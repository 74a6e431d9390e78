import { deletePage, getOwnPage, type OrganizerPage, ok, replacePage } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Confirmation } from '../components/confirmation.tsx';
import { Check, Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { CopyButton } from '../components/values.tsx';
import { isRefusal } from '../errors.ts';

/** The form of an organizer's public page. */
export function EditOrganizerPage() {
  const resource = useResource(findOwnPage, []);
  const [deletions, setDeletions] = useState(0);
  const remove = async () => {
    await ok(deletePage());
    if (resource.state === 'ready') await resource.reload();
    setDeletions(deletions + 1);
  };
  return (
    <Page title="Your page">
      <p>
        <a href="/organizer">My events</a>
      </p>
      <div class="panel narrow">
        <h1>Your page</h1>
        <p>Buyers see who you are, and all your upcoming events.</p>
        <Loaded of={resource}>
          {({ organizer }) => (
            <PageForm key={deletions} stored={organizer} wasDeleted={deletions > 0} onDelete={remove} />
          )}
        </Loaded>
      </div>
    </Page>
  );
}

async function findOwnPage(): Promise<{ organizer?: OrganizerPage }> {
  try {
    return await ok(getOwnPage());
  } catch (error) {
    if (isRefusal(error, 404)) return {};
    throw error;
  }
}

type Values = {
  slug: string;
  name: string;
  about: string;
  contact: string;
  hasAccent?: string;
  /** Absent while its field is not shown. */
  accent?: string;
  logoUrl: string;
  font: string;
};

const fontNames: Record<NonNullable<OrganizerPage['font']>, string> = {
  sans: 'Plain',
  serif: 'With serifs',
  rounded: 'Rounded',
  mono: 'Typewriter',
};

/** What the color field shows at first: the shop's color. */
const shopAccent = '#a62b1f';

interface PageFormProps {
  stored: OrganizerPage | undefined;
  /** Whether a page has just been deleted. */
  wasDeleted: boolean;
  onDelete: () => Promise<void>;
}

function PageForm({ stored, wasDeleted, onDelete }: PageFormProps) {
  const [saved, setSaved] = useState(stored);
  const [isSaved, setJustSaved] = useState(false);
  const [hasAccent, setHasAccent] = useState(Boolean(stored?.accent));
  const save = async ({ hasAccent, accent, contact, logoUrl, font, ...texts }: Values) => {
    const optional = {
      contact: contact || null,
      logoUrl: logoUrl || null,
      font: (font || null) as OrganizerPage['font'],
    };
    const fields = { ...texts, ...optional, accent: (hasAccent && accent) || null };
    setSaved((await ok(replacePage(fields))).organizer);
    setJustSaved(true);
  };
  return (
    <>
      {wasDeleted && !saved && (
        <p class="status" role="status">
          Your page is deleted.
        </p>
      )}
      <Form<Values>
        submit="Save"
        onSubmit={save}
        onInput={({ currentTarget }) => {
          setJustSaved(false);
          setHasAccent(new FormData(currentTarget).has('hasAccent'));
        }}
        footer={
          <>
            <p role="status">{isSaved && 'Saved. Your events show it within a few seconds.'}</p>
            {saved && (
              <p class="actions">
                <a class="button" href={`/o/${saved.slug}`}>
                  Show the page
                </a>
                <CopyButton name="link" text={`${location.origin}/o/${saved.slug}`} isLong />
              </p>
            )}
          </>
        }
      >
        <Field name="name" label="Name" defaultValue={stored?.name} maxLength={100} required />
        <Field
          name="slug"
          label="Address"
          hint={`${location.origin}/o/… followed by 3 to 40 letters, digits and hyphens. After a change, the old address no longer works.`}
          defaultValue={stored?.slug}
          maxLength={40}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <Field
          name="about"
          label="About you"
          hint="**bold**, *italic*, lists and links work."
          as="textarea"
          defaultValue={stored?.about}
          maxLength={5000}
        />
        <Field
          name="contact"
          label="Contact"
          hint="An e-mail address, or a web address that begins with https://. Everybody can see it."
          defaultValue={stored?.contact ?? ''}
          maxLength={200}
          autocomplete="off"
          spellcheck={false}
        />
        <Field
          name="logoUrl"
          label="Logo"
          type="url"
          hint="The address of a picture. It begins with https://"
          defaultValue={stored?.logoUrl ?? ''}
          maxLength={500}
          autocomplete="off"
          spellcheck={false}
        />
        <Field name="font" label="Letters" as="select">
          <option value="">Those of the shop</option>
          {Object.entries(fontNames).map(([value, name]) => (
            <option key={value} value={value} selected={value === stored?.font}>
              {name}
            </option>
          ))}
        </Field>
        <Check
          name="hasAccent"
          label="Use your own color"
          hint="For buttons, tickets, passes and mails. Text on it is black or white, whichever reads better."
          defaultChecked={Boolean(stored?.accent)}
        />
        {hasAccent && (
          <Field name="accent" label="Color" type="color" defaultValue={stored?.accent ?? shopAccent} />
        )}
      </Form>
      {saved && (
        <p>
          <Confirmation
            button="Delete the page"
            title="Delete your page?"
            submit="Delete the page"
            onConfirm={onDelete}
          >
            <p>
              Your events, their tickets and mails no longer show your name, your contact and your color.
              Links to <b>/o/{saved.slug}</b> no longer work, and other organizers can take this address. This
              can’t be undone.
            </p>
          </Confirmation>
        </p>
      )}
    </>
  );
}
