import type { Event } from 'boxoffice-client';
import { Field } from '../components/form.tsx';
import { categories, categoryLabel } from '../format.ts';
import { t } from '../texts/form.ts';
import { ImageField, PictureField } from './picture-fields.tsx';

interface AboutStepProps {
  event: Event | undefined;
  /** Receives the data URL of a picture to upload; undefined when none is chosen. */
  onPicture: (picture: string | undefined) => void;
}

/** What the event is. */
export function AboutStep({ event, onPicture }: AboutStepProps) {
  return (
    <>
      <Field name="title" label={t('about.title')} maxLength={200} defaultValue={event?.title} required />
      <Field name="category" label={t('about.category')} as="select">
        {categories.map(({ value }) => (
          <option key={value} value={value} selected={value === event?.category}>
            {categoryLabel(value)}
          </option>
        ))}
      </Field>
      <Field
        name="description"
        label={t('about.description')}
        as="textarea"
        rows={4}
        maxLength={5000}
        defaultValue={event?.description}
      />
      <PictureField
        label={t('about.picture')}
        hint={t('about.pictureHint')}
        alt={t('about.pictureAlt')}
        onPicture={onPicture}
      />
      <ImageField defaultValue={event?.imageUrl ?? ''} />
    </>
  );
}
