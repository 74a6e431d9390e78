import type { Currency, Event } from 'boxoffice-client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Form } from '../components/form.tsx';
import { useLeaveGuard } from '../components/leave-guard.ts';
import { config } from '../config.ts';
import { t } from '../texts/form.ts';
import { AboutStep } from './about-step.tsx';
import { type EventEdit, findTier, readEventForm } from './event-values.ts';
import { findMoves, type Move, Moves } from './moves.tsx';
import { PlaceAndTimeStep } from './place-and-time-step.tsx';
import { PreviewStep } from './preview-step.tsx';
import { useRows } from './rows.ts';
import { RulesStep } from './rules-step.tsx';
import { NewEventButtons, previewStep, Step, StepList, stepOf } from './steps.tsx';
import { TicketsStep } from './tickets-step.tsx';
import {
  countEntered,
  enterAgain,
  findUnsavedEvent,
  forgetUnsavedEvent,
  keepUnsavedEvent,
} from './unsaved-event.ts';

interface SubmittedForm {
  isDraft: boolean;
  /** The data URL of a picture to upload. */
  picture: string | undefined;
  /** Called with the index in the form and the id of a tier that was added. */
  onTierAdded: (added: { index: number; id: string }) => void;
}

interface EventFormProps {
  /** The event as it is stored; undefined for a new one. */
  event?: Event;
  /** What the form begins with, and the organizer that the preview shows. */
  defaults: Pick<Event, 'currency' | 'timezone' | 'organizer'>;
  userId: string;
  /** A message below the button. */
  notice?: string;
  onSubmit: (edit: EventEdit, form: SubmittedForm) => Promise<unknown>;
  /** Called to begin again without what was entered before the page was loaded again. */
  onStartAgain?: () => void;
}

/** The form that creates an event step by step, or edits one in any step. */
export function EventForm({ event, defaults, userId, notice, onSubmit, onStartAgain }: EventFormProps) {
  const form = useRef<HTMLFormElement | null>(null);
  const [unsaved] = useState(() => (event ? undefined : findUnsavedEvent(userId)));
  const [place, setPlace] = useState(() => ({
    // The preview has to be made from the fields first.
    step: Math.min(unsaved?.step ?? 0, previewStep - 1),
    reached: event ? previewStep : (unsaved?.reached ?? 0),
    takesFocus: false,
  }));
  const tiers = useRows(
    event?.tiers.map(({ id }) => id) ?? newIds(unsaved ? countEntered(unsaved, 'tiers') : 1),
  );
  const questions = useRows(
    event?.questions.map(({ id }) => id) ?? newIds(unsaved ? countEntered(unsaved, 'questions') : 0),
  );
  const [currency, setCurrency] = useState<Currency>(defaults.currency);
  const [picture, setPicture] = useState<string>();
  const [isChanged, setChanged] = useState(false);
  const [moves, setMoves] = useState<Move[]>([]);
  const [preview, setPreview] = useState<EventEdit>();
  // A new event stays in the browser when the organizer leaves the page, but for its picture.
  useLeaveGuard(event ? isChanged : picture !== undefined);

  const read = (data: FormData) =>
    readEventForm(data, {
      storedEvent: event,
      storedTiers: tiers.rows.map(({ id }) => event && findTier(event, id)),
      storedQuestions: questions.rows.map(({ id }) => event?.questions.find((each) => each.id === id)),
      chainId: config.chainId,
      now: Date.now(),
    });
  const editOf = (element: HTMLFormElement): EventEdit => ({
    entered: read(new FormData(element)),
    tierIds: tiers.rows.map(({ id }) => id),
  });
  const open = (step: number) => {
    setPlace({ step, reached: Math.max(step, place.reached), takesFocus: true });
    if (step === previewStep && form.current) setPreview(editOf(form.current));
  };
  const keep = () => {
    if (!event && form.current) keepUnsavedEvent(form.current, { userId, ...place });
  };
  useLayoutEffect(() => {
    if (unsaved && form.current) enterAgain(form.current, unsaved);
  }, []);
  // Not `useEffect`, which runs only after the form is painted: a reload may come first.
  useLayoutEffect(() => {
    if (isChanged) keep();
  }, [isChanged, place, tiers.rows, questions.rows]);

  const stepProps = (step: number) => ({ step, current: place.step, takesFocus: place.takesFocus });
  return (
    <Form
      formRef={form}
      submit={t('save')}
      instead={!event && <NewEventButtons current={place.step} onBack={open} />}
      validate={(data) => read(data).errors}
      partOf={(button) => (isNext(button) ? currentStep(form.current) : null)}
      onInvalid={(field) => setPlace({ ...place, step: stepOf(field), takesFocus: false })}
      onSubmit={async (values, element) => {
        if (values.next) return open(place.step + 1);
        await onSubmit(editOf(element), {
          isDraft: values.status === 'DRAFT',
          picture,
          onTierAdded: ({ index, id }) => tiers.setId(index, id),
        });
        setChanged(false);
        if (!event) forgetUnsavedEvent();
      }}
      onInput={({ currentTarget }) => {
        setCurrency(readCurrency(currentTarget) ?? currency);
        setChanged(true);
        keep();
        if (event) setMoves(findMoves(event, read(new FormData(currentTarget)).event));
      }}
      footer={
        <>
          {event && moves.length > 0 && <Moves moves={moves} event={event} />}
          {notice && <p role="status">{notice}</p>}
        </>
      }
    >
      {unsaved && (
        <div class="status held" role="status">
          <p>{t('unsaved')}</p>
          <button type="button" onClick={onStartAgain}>
            {t('startAgain')}
          </button>
        </div>
      )}
      <StepList current={place.step} reached={place.reached} onOpen={open} />
      <Step {...stepProps(0)}>
        <AboutStep event={event} onPicture={setPicture} />
      </Step>
      <Step {...stepProps(1)}>
        <PlaceAndTimeStep event={event} timezone={defaults.timezone} />
      </Step>
      <Step {...stepProps(2)}>
        <TicketsStep event={event} currency={currency} defaultCurrency={defaults.currency} tiers={tiers} />
      </Step>
      <Step {...stepProps(3)}>
        <RulesStep event={event} questions={questions} unsaved={unsaved} />
      </Step>
      <Step {...stepProps(previewStep)}>
        {preview && (
          <PreviewStep edit={preview} stored={event} organizer={defaults.organizer} picture={picture} />
        )}
      </Step>
    </Form>
  );
}

const newIds = (count: number): undefined[] => Array.from({ length: count });

const isNext = (button: HTMLElement | null) => button?.getAttribute('name') === 'next';

const currentStep = (form: HTMLFormElement | null) => form?.querySelector('.step:not([hidden])') ?? null;

function readCurrency(form: HTMLFormElement): Currency | undefined {
  return (new FormData(form).get('currency') as Currency | null) ?? undefined;
}
