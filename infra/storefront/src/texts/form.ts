import { form } from './en/form.ts';
import { textsOf } from './texts.ts';

export const t = textsOf('form', form);
