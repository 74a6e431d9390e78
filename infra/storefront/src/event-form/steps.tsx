import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../texts/form.ts';

/** The steps of the form, in their order. */
export const steps = ['about', 'place', 'tickets', 'rules', 'preview'] as const;

/** The index of the step that shows the event as buyers see it. */
export const previewStep = steps.length - 1;

interface StepListProps {
  current: number;
  /** The last step that can be opened. */
  reached: number;
  onOpen: (step: number) => void;
}

/** The steps of the form, each with a button that opens it. */
export function StepList({ current, reached, onOpen }: StepListProps) {
  return (
    <nav aria-label={t('steps')}>
      <ol class="steps">
        {steps.map((name, step) => (
          <li key={name}>
            <button
              type="button"
              aria-current={step === current ? 'step' : undefined}
              disabled={step > reached}
              onClick={() => onOpen(step)}
            >
              {t(`step.${name}`)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface StepProps {
  step: number;
  current: number;
  /** Whether its title takes the focus when it is shown. */
  takesFocus: boolean;
  children: ComponentChildren;
}

/** A step of the form. When another one is shown, it stays in the document, so that its fields keep their values. */
export function Step({ step, current, takesFocus, children }: StepProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const isShown = step === current;
  useEffect(() => {
    if (isShown && takesFocus) title.current?.focus();
  }, [isShown]);
  return (
    <section class="step" hidden={!isShown} data-step={step}>
      <h2 ref={title} tabIndex={-1}>
        {t(`step.${steps[step] ?? 'about'}`)}
      </h2>
      {children}
    </section>
  );
}

/** Returns the index of the step that a field is in. */
export function stepOf(field: Element): number {
  return Number(field.closest<HTMLElement>('[data-step]')?.dataset.step ?? 0);
}

interface NewEventButtonsProps {
  current: number;
  onBack: (step: number) => void;
}

/** The buttons below the steps of a new event. */
export function NewEventButtons({ current, onBack }: NewEventButtonsProps) {
  return (
    <p class="actions">
      {current > 0 && (
        <button key="back" type="button" onClick={() => onBack(current - 1)}>
          {t('back')}
        </button>
      )}
      {current < previewStep ? (
        <button key="next" class="primary" type="submit" name="next" value="next">
          {t('next')}
        </button>
      ) : (
        <>
          <button key="publish" class="primary" type="submit">
            {t('publish')}
          </button>
          <button key="draft" type="submit" name="status" value="DRAFT">
            {t('saveDraft')}
          </button>
        </>
      )}
    </p>
  );
}
