import { organizing } from './en/organizing.ts';
import { textsOf } from './texts.ts';

export const t = textsOf('organizing', organizing);
