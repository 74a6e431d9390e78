import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../texts/shop.ts';
import { Form } from './form.tsx';

interface ConfirmationProps<Values> {
  /** The label of the button that opens the dialog. */
  button: string;
  title: string;
  /** The label of the button that confirms. */
  submit: string;
  /** Carries out the action. When it throws, the dialog stays open and shows the error. */
  onConfirm: (values: Values) => Promise<unknown>;
  /** The consequences, and fields for required input. */
  children: ComponentChildren;
}

/** A button for an action that can't be undone or needs input: it opens a dialog that states the consequences. */
export function Confirmation<Values extends Record<string, string>>({
  button,
  ...dialog
}: ConfirmationProps<Values>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {button}
      </button>
      {isOpen && <Dialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  );
}

type DialogProps<Values> = Omit<ConfirmationProps<Values>, 'button'> & { onClose: () => void };

/** A dialog with a form. It closes when `onConfirm` has succeeded. */
export function Dialog<Values extends Record<string, string>>({
  title,
  submit,
  onConfirm,
  onClose,
  children,
}: DialogProps<Values>) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const backButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    element.current?.showModal();
    // Without a field, the focus would be on the confirming button, and pressing Enter twice would confirm.
    if (document.activeElement instanceof HTMLButtonElement) backButton.current?.focus();
  }, []);
  const close = () => element.current?.close();
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      <Form<Values>
        submit={submit}
        onSubmit={(values) => onConfirm(values).then(close)}
        footer={
          <button ref={backButton} type="button" onClick={close}>
            {t('page.back')}
          </button>
        }
      >
        {children}
      </Form>
    </dialog>
  );
}
