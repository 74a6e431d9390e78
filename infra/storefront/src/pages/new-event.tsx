import { createEvent, type Event, ok } from 'boxoffice-client';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { categories, createdCategory } from '../categories.ts';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { config } from '../config.ts';

type Values = {
  title: string;
  description: string;
  venue: string;
  city: string;
  startDate: string;
  category: Event['category'];
  contractAddress: string;
};

/** An organizer puts an event on sale. */
export function NewEventPage() {
  const { route } = useLocation();
  const [tierKeys, setTierKeys] = useState([0]);
  const nextKey = useRef(1);

  const create = async (values: Values, form: HTMLFormElement) => {
    const { title, description, venue, city, startDate, category, contractAddress } = values;
    const { event } = await ok(
      createEvent({
        title,
        description,
        venue,
        city,
        category: createdCategory(category),
        // What was entered is meant on the organizer's clock.
        startDate: new Date(startDate).toISOString(),
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        tiers: tierKeys.map((_, index) => tierIn(new FormData(form), index)),
        ...(contractAddress && { contractAddress, chainId: config.chainId }),
      }),
    );
    route(`/organizer/events/${event.id}`);
  };

  return (
    <Page title="Create an event">
      <div class="panel">
        <h1>Create an event</h1>
        <Form<Values> submit="Put on sale" onSubmit={create}>
          <Field name="title" label="Title" maxLength={200} required />
          <Field name="description" label="Description" as="textarea" rows={4} maxLength={5000} />
          <div class="pair">
            <Field name="venue" label="Venue" maxLength={200} required />
            <Field name="city" label="City" maxLength={200} />
          </div>
          <div class="pair">
            <Field name="startDate" label="Begins" type="datetime-local" required />
            <Field name="category" label="Category" as="select">
              {categories.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Field>
          </div>
          <fieldset class="tiers">
            <legend>Ticket tiers</legend>
            {tierKeys.map((key, index) => (
              <TierFields
                key={key}
                index={index}
                isNew={key > 0}
                // A single one has to stay.
                onRemove={
                  tierKeys.length > 1 ? () => setTierKeys(tierKeys.filter((each) => each !== key)) : undefined
                }
              />
            ))}
            <button type="button" onClick={() => setTierKeys([...tierKeys, nextKey.current++])}>
              Add a tier
            </button>
          </fieldset>
          <Field
            name="contractAddress"
            label="Ticket contract"
            hint="Each ticket is minted by it as an NFT. Leave it empty for an event without NFTs."
            defaultValue={config.ticketContract}
            autocomplete="off"
            spellcheck={false}
          />
        </Form>
      </div>
    </Page>
  );
}

interface TierFieldsProps {
  index: number;
  /** Takes the focus when it appears. */
  isNew: boolean;
  onRemove?: () => void;
}

function TierFields({ index, isNew, onRemove }: TierFieldsProps) {
  const name = (field: string) => `tiers.${index}.${field}`;
  return (
    <fieldset class="tier-row">
      <legend>Tier {index + 1}</legend>
      <Field name={name('name')} label="Name" maxLength={200} autoFocus={isNew} required />
      <Field name={name('price')} label="Price in USD" type="number" min={0} step={0.01} required />
      <Field name={name('quantity')} label="Tickets" type="number" min={1} required />
      <Field
        name={name('maxPerPerson')}
        label="Most per person"
        type="number"
        min={1}
        defaultValue="10"
        required
      />
      {onRemove && (
        <button type="button" onClick={onRemove}>
          Remove
        </button>
      )}
    </fieldset>
  );
}

function tierIn(values: FormData, index: number) {
  const value = (field: string) => `${values.get(`tiers.${index}.${field}`)}`;
  return {
    name: value('name'),
    price: Number(value('price')),
    quantity: Number(value('quantity')),
    maxPerPerson: Number(value('maxPerPerson')),
  };
}
