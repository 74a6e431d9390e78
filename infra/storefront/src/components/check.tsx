import { useId } from 'preact/hooks';
import { useFieldError } from './form.tsx';

interface CheckProps {
  name: string;
  label: string;
  /** A sentence of help below it. */
  hint?: string;
  defaultChecked?: boolean;
}

/** A checkbox with its label, as a row that can be clicked. Unchecked, the form's values do not have it. */
export function Check({ name, label, hint, defaultChecked }: CheckProps) {
  const error = useFieldError(name);
  const id = useId();
  return (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        defaultChecked={defaultChecked}
        aria-invalid={error ? true : undefined}
        aria-describedby={hint || error ? id : undefined}
      />
      {label}
      {(hint || error) && (
        <small class={error ? 'bad' : 'quiet'} id={id}>
          {error ?? hint}
        </small>
      )}
    </label>
  );
}
