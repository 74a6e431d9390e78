import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Form } from './form.tsx';

interface ConfirmationProps<Values> {
  /** The label of the button that opens the dialog. */
  button: string;
  title: string;
  /** The label of the button that confirms. */
  submit: string;
  /** Does it. What it throws is shown, and the dialog stays open. */
  onConfirm: (values: Values) => Promise<unknown>;
  /** The consequences, and fields for required input. */
  children: ComponentChildren;
}

/** A button for something that can't be undone, or needs something entered: a dialog says what happens first. */
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

function Dialog<Values extends Record<string, string>>({
  title,
  submit,
  onConfirm,
  onClose,
  children,
}: DialogProps<Values>) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    element.current?.showModal();
    // Without a field the focus is on a button: on this one, so that pressing Enter twice does nothing.
    if (document.activeElement instanceof HTMLButtonElement) back.current?.focus();
  }, []);
  const close = () => element.current?.close();
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      <Form<Values>
        submit={submit}
        onSubmit={(values) => onConfirm(values).then(close)}
        footer={
          <button ref={back} type="button" onClick={close}>
            Back
          </button>
        }
      >
        {children}
      </Form>
    </dialog>
  );
}
