import { createInstance, type TFunction } from 'i18next';
import type { Language } from '../../core/schemas.ts';

import { de } from './de.ts';
import { en } from './en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

/** The catalogues. A further language is one more of them. */
const resources: Record<Language, { translation: typeof en }> = {
  en: { translation: en },
  de: { translation: de },
};

const translator = createInstance();
void translator.init({
  resources,
  initAsync: false,
  fallbackLng: false,
  // Layouts escape what they print.
  interpolation: { escapeValue: false },
});

/** Returns the texts of a language, by their keys in its catalogue; English without one. */
export const textsIn = (language: Language = 'en'): TFunction => translator.getFixedT(language);
