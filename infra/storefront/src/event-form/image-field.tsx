import { useState } from 'preact/hooks';
import { Field } from '../components/form.tsx';

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
        label="Picture"
        type="url"
        hint="The address of a picture, which begins with https://"
        defaultValue={defaultValue}
        maxLength={2000}
        autocomplete="off"
        spellcheck={false}
      />
      {/^https:\/\/./i.test(address) && <Preview key={address} address={address} />}
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
