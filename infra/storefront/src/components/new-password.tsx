import { Field } from './form.tsx';

/** The field for a new password. */
export function NewPassword({ label }: { label: string }) {
  return (
    <Field
      name="password"
      label={label}
      hint="At least 8 characters."
      type="password"
      autocomplete="new-password"
      minLength={8}
      required
    />
  );
}
