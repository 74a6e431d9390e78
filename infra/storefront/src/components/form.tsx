import { type AllHTMLAttributes, type ComponentChildren, createContext, createElement } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { FieldsRefused, invalidFieldsOf, messageOf, sentenceAbout } from '../errors.ts';

/** Messages by the names of the fields that they are about. */
type FieldErrors = Record<string, string>;
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const FieldErrorsContext = createContext<FieldErrors>({});

interface FormProps<Values> {
  /** The button's label. */
  submit: string;
  /** Given the values by the names of their fields. What it throws is shown, and what was entered stays. */
  onSubmit: (values: Values, form: HTMLFormElement) => Promise<unknown>;
  /** Sentences about values that the browser finds right and that are wrong all the same, by the names of their fields. */
  check?: (values: FormData) => FieldErrors;
  disabled?: boolean;
  class?: string;
  onInput?: (event: Event & { currentTarget: HTMLFormElement }) => void;
  children: ComponentChildren;
  /** Below the button. A submit button in it adds its own name and value. */
  footer?: ComponentChildren;
}

/**
 * A form that is sent once at a time, also when its button is pressed repeatedly. Each error of the browser's validation
 * and of the API appears below its field. Any other error appears below the form.
 */
export function Form<Values extends Record<string, string>>(props: FormProps<Values>) {
  const element = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const [error, setError] = useState<unknown>();

  useEffect(() => {
    const invalid = element.current?.querySelectorAll<HTMLElement>('[aria-invalid=true]') ?? [];
    for (const field of invalid) field.closest('details')?.setAttribute('open', '');
    invalid[0]?.focus();
  }, [fieldErrors]);

  const submit = async (form: HTMLFormElement, button: HTMLElement | null) => {
    if (isBusy) return;
    const values = new FormData(form, button);
    const found = { ...props.check?.(values), ...invalidFields(form) };
    setError(undefined);
    setFieldErrors(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await props.onSubmit(Object.fromEntries(values) as Values, form);
    } catch (refusal) {
      const refused = refusedFields(form, refusal);
      if (refused) setFieldErrors(refused);
      else setError(refusal);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      ref={element}
      class={props.class}
      noValidate
      aria-busy={isBusy || undefined}
      onInput={props.onInput}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget, event.submitter);
      }}
    >
      <FieldErrorsContext.Provider value={fieldErrors}>{props.children}</FieldErrorsContext.Provider>
      <button class="primary" type="submit" disabled={props.disabled}>
        {props.submit}
      </button>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {props.footer}
    </form>
  );
}

type Attributes = Pick<
  AllHTMLAttributes<HTMLElement>,
  | 'type'
  | 'defaultValue'
  | 'placeholder'
  | 'required'
  | 'minLength'
  | 'maxLength'
  | 'min'
  | 'max'
  | 'step'
  | 'pattern'
  | 'rows'
  | 'autocomplete'
  | 'autocapitalize'
  | 'autoFocus'
  | 'disabled'
  | 'spellcheck'
  | 'children'
>;

interface FieldProps extends Attributes {
  name: string;
  label: string;
  /** A sentence of help below it. */
  hint?: string;
  as?: 'input' | 'textarea' | 'select';
}

/** Returns the error of a field; undefined for a valid field. */
export function useFieldError(name: string): string | undefined {
  return useContext(FieldErrorsContext)[name];
}

/** A labelled field, with its hint, and what is wrong with it. */
export function Field({ name, label, hint, as = 'input', ...attributes }: FieldProps) {
  const error = useFieldError(name);
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {createElement(as, {
        ...attributes,
        id,
        name,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy || undefined,
      } as AllHTMLAttributes<HTMLElement>)}
      {hint && (
        <small class="quiet" id={`${id}-hint`}>
          {hint}
        </small>
      )}
      {error && (
        <small class="bad" id={`${id}-error`}>
          {error}
        </small>
      )}
    </div>
  );
}

function invalidFields(form: HTMLFormElement): FieldErrors {
  const invalid = controlsOf(form).filter(({ validity }) => !validity.valid);
  return Object.fromEntries(invalid.map(({ name, validationMessage }) => [name, validationMessage]));
}

/** Returns the API's field errors by the form's fields; undefined when a refused field is not in the form. */
function refusedFields(form: HTMLFormElement, error: unknown): FieldErrors | undefined {
  if (error instanceof FieldsRefused) return error.fields;
  const controls = controlsOf(form);
  const refused = invalidFieldsOf(error).map((field) => {
    const control = controls.find(({ name }) => name === field.path);
    return control && ([control.name, sentenceAbout(field, labelOf(control))] as const);
  });
  const shown = refused.filter((one) => one !== undefined);
  return shown.length > 0 && shown.length === refused.length ? Object.fromEntries(shown) : undefined;
}

const labelOf = ({ labels }: Control) => labels?.[0]?.textContent ?? undefined;

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (element) => 'validity' in element && !(element instanceof HTMLFieldSetElement),
  ) as Control[];
}
