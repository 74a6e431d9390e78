import { Field } from '../components/form.tsx';
import { t } from '../texts/shop.ts';

interface CodeFieldProps {
  /** The applied code; empty for none. */
  code: string;
  onApply: (code: string) => void;
}

/** The field for a discount or access code, with a button that applies it. */
export function CodeField({ code, onApply }: CodeFieldProps) {
  return (
    <div class="field-with-button">
      <Field
        key={code}
        name="code"
        label={t('buy.code')}
        defaultValue={code}
        maxLength={40}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
      />
      <button
        type="button"
        onClick={({ currentTarget: { form } }) =>
          onApply(form ? `${new FormData(form).get('code')}`.trim() : '')
        }
      >
        {t('buy.apply')}
      </button>
    </div>
  );
}
