import { deletePage, getOwnPage, type OrganizerPage, ok, replacePage, requestLogo } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Confirmation } from '../components/confirmation.tsx';
import { Check, Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { CopyButton } from '../components/values.tsx';
import { isRefusal } from '../errors.ts';
import { uploadPicture } from '../event-form/picture.ts';
import { PictureField } from '../event-form/picture-fields.tsx';
import { organizing } from '../texts/en/organizing.ts';
import { t } from '../texts/organizing.ts';

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
    <Page title={t('page.title')}>
      <p>
        <a href="/organizer">{t('myEvents')}</a>
      </p>
      <div class="panel narrow">
        <h1>{t('page.title')}</h1>
        <p>{t('page.explanation')}</p>
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
  /** The chosen file. */
  picture: string;
  logoUrl: string;
  font: string;
};

const fonts = Object.keys(organizing.page.fonts) as NonNullable<OrganizerPage['font']>[];

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
  const [logo, setLogo] = useState<string>();
  const [hasAccent, setHasAccent] = useState(Boolean(stored?.accent));
  const save = async ({ picture: _, hasAccent, accent, contact, logoUrl, font, ...texts }: Values) => {
    const optional = {
      contact: contact || null,
      logoUrl: logoUrl || null,
      font: (font || null) as OrganizerPage['font'],
    };
    const fields = { ...texts, ...optional, accent: (hasAccent && accent) || null };
    setSaved((await ok(replacePage(fields))).organizer);
    if (logo) {
      await uploadPicture(
        logo,
        (body) => ok(requestLogo(body)),
        async () => (await ok(getOwnPage())).organizer.logoUrl,
      );
      setSaved((await ok(getOwnPage())).organizer);
      setLogo(undefined);
    }
    setJustSaved(true);
  };
  return (
    <>
      {wasDeleted && !saved && (
        <p class="status" role="status">
          {t('page.deleted')}
        </p>
      )}
      <Form<Values>
        submit={t('save')}
        onSubmit={save}
        onInput={({ currentTarget }) => {
          setJustSaved(false);
          setHasAccent(new FormData(currentTarget).has('hasAccent'));
        }}
        footer={
          <>
            <p role="status">{isSaved && t('page.saved')}</p>
            {saved && (
              <p class="actions">
                <a class="button" href={`/o/${saved.slug}`}>
                  {t('page.show')}
                </a>
                <CopyButton name="link" text={`${location.origin}/o/${saved.slug}`} isLong />
              </p>
            )}
          </>
        }
      >
        <Field name="name" label={t('name')} defaultValue={stored?.name} maxLength={100} required />
        <Field
          name="slug"
          label={t('page.address')}
          hint={t('page.addressHint', { origin: location.origin })}
          defaultValue={stored?.slug}
          maxLength={40}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <Field
          name="about"
          label={t('page.about')}
          hint={t('page.aboutHint')}
          as="textarea"
          defaultValue={stored?.about}
          maxLength={5000}
        />
        <Field
          name="contact"
          label={t('page.contact')}
          hint={t('page.contactHint')}
          defaultValue={stored?.contact ?? ''}
          maxLength={200}
          autocomplete="off"
          spellcheck={false}
        />
        {/* After an upload, the changed keys empty the field of the file and show the address of the picture. */}
        <PictureField
          key={`upload ${saved?.logoUrl}`}
          label={t('page.logo')}
          hint={t('page.logoHint')}
          alt={t('page.logo')}
          onPicture={setLogo}
        />
        <Field
          key={saved?.logoUrl}
          name="logoUrl"
          label={t('page.logoAddress')}
          type="url"
          hint={t('page.logoAddressHint')}
          defaultValue={saved?.logoUrl ?? ''}
          maxLength={500}
          autocomplete="off"
          spellcheck={false}
        />
        <Field name="font" label={t('page.letters')} as="select">
          <option value="">{t('page.shopLetters')}</option>
          {fonts.map((value) => (
            <option key={value} value={value} selected={value === stored?.font}>
              {t(`page.fonts.${value}`)}
            </option>
          ))}
        </Field>
        <Check
          name="hasAccent"
          label={t('page.ownColor')}
          hint={t('page.ownColorHint')}
          defaultChecked={Boolean(stored?.accent)}
        />
        {hasAccent && (
          <Field
            name="accent"
            label={t('page.color')}
            type="color"
            defaultValue={stored?.accent ?? shopAccent}
          />
        )}
      </Form>
      {saved && (
        <p>
          <Confirmation
            button={t('page.delete')}
            title={t('page.deleteTitle')}
            submit={t('page.delete')}
            onConfirm={onDelete}
          >
            <p>{t('page.deleteText', { path: <b>{`/o/${saved.slug}`}</b> })}</p>
          </Confirmation>
        </p>
      )}
    </>
  );
}
