import type { Event } from 'boxoffice-client';

interface TierChoiceProps {
  name: string;
  legend: string;
  hint: string;
  tiers: Event['tiers'];
  /** The ids of the tiers that are chosen already. */
  chosen: readonly string[] | undefined;
}

/** A choice of tiers in a form, where none stands for all. */
export function TierChoice({ name, legend, hint, tiers, chosen }: TierChoiceProps) {
  return (
    <fieldset class="field">
      <legend>{legend}</legend>
      {tiers.map((tier) => (
        <label key={tier.id} class="check">
          <input type="checkbox" name={name} value={tier.id} defaultChecked={chosen?.includes(tier.id)} />
          {tier.name}
        </label>
      ))}
      <small class="quiet">{hint}</small>
    </fieldset>
  );
}
