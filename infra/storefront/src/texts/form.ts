import { form } from './en/form.ts';
import { textsOf } from './texts.ts';

export const t = await textsOf('form', form);
