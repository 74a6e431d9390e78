/** A form with nested names, as Stripe's clients send it: `line_items[0][price_data][currency]=usd`. */
export class Form {
  readonly #fields: [path: string[], value: string][];

  constructor(fields: [string[], string][]) {
    this.#fields = fields;
  }

  get(name: string): string | undefined {
    return this.#fields.find(([path]) => path.length === 1 && path[0] === name)?.[1];
  }

  /** Returns the fields below a name. */
  group(name: string): Form {
    const fields = this.#fields.filter(([path]) => path.length > 1 && path[0] === name);
    return new Form(fields.map(([path, value]) => [path.slice(1), value]));
  }

  /** Returns the members of the list below a name. */
  groups(name: string): Form[] {
    const list = this.group(name);
    const members = new Set(list.#fields.flatMap(([path]) => path.slice(0, 1)));
    return [...members].map((member) => list.group(member));
  }
}

export function parseForm(text: string): Form {
  const fields = [...new URLSearchParams(text)];
  return new Form(fields.map(([name, value]) => [name.replaceAll(']', '').split('['), value]));
}
