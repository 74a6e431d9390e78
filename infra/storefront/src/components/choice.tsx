import type { ComponentChildren } from 'preact';

interface ChoiceProps {
  name: string;
  value: string;
  checked?: boolean;
  defaultChecked?: boolean;
  disabled?: boolean;
  required?: boolean;
  class?: string;
  children: ComponentChildren;
}

/** A radio button with its label, as a row that can be clicked. */
export function Choice({ children, class: className, ...attributes }: ChoiceProps) {
  return (
    <label class={className}>
      <input type="radio" {...attributes} />
      {children}
    </label>
  );
}
