import { useState } from 'preact/hooks';
import { Field } from '../components/form.tsx';
import { messageOf } from '../errors.ts';
import { t } from '../texts/form.ts';
import { toJpeg } from './picture.ts';

interface PictureFieldProps {
  label: string;
  hint: string;
  /** The text alternative of the preview. */
  alt: string;
  /** Receives the picture as a data URL; undefined without one. */
  onPicture: (picture: string | undefined) => void;
}

/** The field for a picture to upload, with a preview. The picture is uploaded when the form is submitted. */
export function PictureField({ label, hint, alt, onPicture }: PictureFieldProps) {
  const [preview, setPreview] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const choose = async ({ target }: globalThis.Event) => {
    const [file] = (target as HTMLInputElement).files ?? [];
    setProblem(undefined);
    const picture = file && (await toJpeg(file).catch((error) => setProblem(messageOf(error)) as undefined));
    setPreview(picture);
    onPicture(picture);
  };
  return (
    <div class="field" onChange={choose}>
      <Field name="picture" label={label} type="file" accept="image/*" hint={hint} />
      {problem && (
        <p role="status" class="bad">
          {problem}
        </p>
      )}
      {preview && <img class="image-preview" src={preview} alt={alt} />}
    </div>
  );
}

/** The field for the address of an event's picture, with a preview of the picture. */
export function ImageField({ defaultValue }: { defaultValue: string }) {
  const [address, setAddress] = useState(defaultValue);
  return (
    <div
      class="field"
      // `onChange` waits for the whole address; `onInput` would request a picture for each letter.
      onChange={({ target }) => setAddress((target as HTMLInputElement).value.trim())}
    >
      <Field
        name="imageUrl"
        label={t('about.address')}
        type="url"
        hint={t('about.addressHint')}
        defaultValue={defaultValue}
        maxLength={2000}
        autocomplete="off"
        spellcheck={false}
      />
      {(/^https:\/\/./i.test(address) || address.startsWith(`${location.origin}/`)) && (
        <Preview key={address} address={address} />
      )}
    </div>
  );
}

function Preview({ address }: { address: string }) {
  const [isBroken, setBroken] = useState(false);
  return isBroken ? (
    <p role="status" class="bad">
      {t('about.broken')}
    </p>
  ) : (
    <img class="image-preview" src={address} alt={t('about.pictureAlt')} onError={() => setBroken(true)} />
  );
}
