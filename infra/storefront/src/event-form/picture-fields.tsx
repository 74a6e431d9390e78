import { useState } from 'preact/hooks';
import { Field } from '../components/form.tsx';
import { messageOf } from '../errors.ts';
import { toJpeg } from './picture.ts';

/** The field for a picture to upload, with a preview. The picture is uploaded when the form is submitted. */
export function PictureField({ onPicture }: { onPicture: (picture: string | undefined) => void }) {
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
      <Field
        name="picture"
        label="Picture to upload"
        type="file"
        accept="image/*"
        hint="At best 1600 by 900 pixels. It is made smaller here, and the place where it was taken is removed."
      />
      {problem && (
        <p role="status" class="bad">
          {problem}
        </p>
      )}
      {preview && <img class="image-preview" src={preview} alt="The event, as buyers see it" />}
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
        label="Or the address of a picture"
        type="url"
        hint="It begins with https://"
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
      No picture can be loaded from this address, so buyers will not see one either.
    </p>
  ) : (
    <img
      class="image-preview"
      src={address}
      alt="The event, as buyers see it"
      onError={() => setBroken(true)}
    />
  );
}
