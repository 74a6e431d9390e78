import { useId } from 'preact/hooks';
import { useFieldError } from './form.tsx';

interface CheckProps {
  name: string;
  label: string;
  /** Help text below the checkbox. */
  hint?: string;
  defaultChecked?: boolean;
}

/**
 * A checkbox with its label, as a row that can be clicked. The form's values contain `name` only when it is checked.
 */
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
