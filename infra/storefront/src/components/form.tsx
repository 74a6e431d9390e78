import {
  type AllHTMLAttributes,
  type ComponentChildren,
  createContext,
  createElement,
  type RefObject,
} from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { FieldsRefused, invalidFieldsOf, messageOf, toSentence } from '../errors.ts';
import { t } from '../texts/shop.ts';

/** Error messages by field name. */
type FieldErrors = Record<string, string>;
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const FieldErrorsContext = createContext<FieldErrors>({});

interface FormProps<Values> {
  /** The button's label. */
  submit: string;
  /** Receives the form's element. */
  formRef?: RefObject<HTMLFormElement | null>;
  /** Stands in place of the button. */
  instead?: ComponentChildren;
  /** Receives the values by field name. When it throws, the form shows the error and keeps its values. */
  onSubmit: (values: Values, form: HTMLFormElement) => Promise<unknown>;
  /** Returns the errors that the browser's validation does not find. */
  validate?: (values: FormData) => FieldErrors;
  /** Returns the part of the form that a submit button checks; by default, or without a part, all of it. */
  partOf?: (button: HTMLElement | null) => Element | null;
  /** Called with the first field that has an error, which then gets the focus. Brings it into view. */
  onInvalid?: (field: Element) => void;
  disabled?: boolean;
  class?: string;
  onInput?: (event: Event & { currentTarget: HTMLFormElement }) => void;
  children: ComponentChildren;
  /** Shown below the button. A submit button in it adds its own name and value to the values. */
  footer?: ComponentChildren;
}

/**
 * A form that sends one request at a time, even when its button is pressed repeatedly. An error of a field, found by
 * the browser or the API, appears below the field. Any other error appears below the form.
 */
export function Form<Values extends Record<string, string>>(props: FormProps<Values>) {
  const ownRef = useRef<HTMLFormElement | null>(null);
  const element = props.formRef ?? ownRef;
  const [isBusy, setBusy] = useState(false);
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const [error, setError] = useState<unknown>();
  /** The errors whose first field has not had the focus yet. */
  const newErrors = useRef<FieldErrors>(undefined);

  useEffect(() => {
    if (newErrors.current !== fieldErrors) return;
    const invalidFields = element.current?.querySelectorAll<HTMLElement>('[aria-invalid=true]') ?? [];
    for (const field of invalidFields) field.closest('details')?.setAttribute('open', '');
    invalidFields[0]?.focus();
  }, [fieldErrors]);

  const showFieldErrors = (form: HTMLFormElement, errors: FieldErrors) => {
    newErrors.current = errors;
    setFieldErrors(errors);
    const field = controlsOf(form).find(({ name }) => name in errors);
    if (field) props.onInvalid?.(field);
  };
  /** Removes the error of a field that is being corrected, and the form's. */
  const forgetErrors = ({ target }: Event) => {
    setError(undefined);
    const { name } = target as Control;
    if (name in fieldErrors) setFieldErrors(({ [name]: _corrected, ...others }) => others);
  };
  const submit = async (form: HTMLFormElement, button: HTMLElement | null) => {
    if (isBusy) return;
    const values = new FormData(form, button);
    const part = props.partOf?.(button);
    const allErrors = { ...props.validate?.(values), ...findBrowserErrors(form) };
    const errors = part ? findErrorsIn(part, form, allErrors) : allErrors;
    setError(undefined);
    showFieldErrors(form, errors);
    if (Object.keys(errors).length > 0) return;
    setBusy(true);
    try {
      await props.onSubmit(Object.fromEntries(values) as Values, form);
    } catch (failure) {
      const refusedFields = findRefusedFields(form, failure);
      if (refusedFields) showFieldErrors(form, refusedFields);
      else setError(failure);
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
      onInput={(event) => {
        forgetErrors(event);
        props.onInput?.(event);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget, event.submitter);
      }}
    >
      <FieldErrorsContext.Provider value={fieldErrors}>{props.children}</FieldErrorsContext.Provider>
      {props.instead || (
        <button class="primary" type="submit" disabled={props.disabled}>
          {props.submit}
        </button>
      )}
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {props.footer}
    </form>
  );
}

type Attributes = Pick<
  AllHTMLAttributes<HTMLElement>,
  | 'type'
  | 'accept'
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
  /** Help text below the field. */
  hint?: string;
  as?: 'input' | 'textarea' | 'select';
}

/** Returns the error of a field; undefined for a valid field. */
export function useFieldError(name: string): string | undefined {
  return useContext(FieldErrorsContext)[name];
}

/** A labelled field with its hint and its error. */
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

function findBrowserErrors(form: HTMLFormElement): FieldErrors {
  const invalid = controlsOf(form).filter(({ validity }) => !validity.valid);
  return Object.fromEntries(invalid.map(({ name, validationMessage }) => [name, validationMessage]));
}

/** Returns the errors of the fields in a part of a form. */
function findErrorsIn(part: Element, form: HTMLFormElement, errors: FieldErrors): FieldErrors {
  const controls = controlsOf(form).filter((control) => control.name in errors && part.contains(control));
  return Object.fromEntries(controls.map(({ name }) => [name, errors[name] ?? '']));
}

/** Returns the errors of the refused fields; undefined when there are none, or when one of them is not in the form. */
function findRefusedFields(form: HTMLFormElement, error: unknown): FieldErrors | undefined {
  if (error instanceof FieldsRefused) return error.fields;
  const controls = controlsOf(form);
  const entries = invalidFieldsOf(error).map((field) => {
    const control = controls.find(({ name }) => name === field.path);
    return control && ([control.name, toSentence(field, labelOf(control))] as const);
  });
  const entriesInForm = entries.filter((entry) => entry !== undefined);
  if (entriesInForm.length === 0 || entriesInForm.length < entries.length) return undefined;
  return Object.fromEntries(entriesInForm);
}

const labelOf = ({ labels }: Control) => labels?.[0]?.textContent ?? undefined;

/** Returns the fields and the buttons of a form. */
export function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (element) => 'validity' in element && !(element instanceof HTMLFieldSetElement),
  ) as Control[];
}

interface CheckProps {
  name: string;
  label: string;
  /** Help text below the checkbox. */
  hint?: string;
  defaultChecked?: boolean;
  /** Whether it has to be checked. */
  required?: boolean;
}

/**
 * A checkbox with its label, as a row that can be clicked. The form's values contain `name` only when it is checked.
 */
export function Check({ name, label, hint, defaultChecked, required }: CheckProps) {
  const error = useFieldError(name);
  const id = useId();
  return (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        defaultChecked={defaultChecked}
        required={required}
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

interface ChoiceProps {
  name: string;
  value: string;
  checked?: boolean;
  defaultChecked?: boolean;
  disabled?: boolean;
  required?: boolean;
  class?: string;
  /** Called when the visitor selects it. */
  onSelect?: () => void;
  children: ComponentChildren;
}

/** A radio button with its label, as a row that can be clicked. */
export function Choice({ children, class: className, onSelect, ...attributes }: ChoiceProps) {
  return (
    <label class={className}>
      <input type="radio" onChange={onSelect} {...attributes} />
      {children}
    </label>
  );
}

/** The field for a new password. */
export function NewPassword({ label }: { label: string }) {
  return (
    <Field
      name="password"
      label={label}
      hint={t('passwordHint')}
      type="password"
      autocomplete="new-password"
      minLength={8}
      required
    />
  );
}
