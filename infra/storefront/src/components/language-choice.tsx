import { t } from '../texts/shop.ts';
import { chooseLanguage, language, languages } from '../texts/texts.ts';

/** The choice of the pages' language. */
export function LanguageChoice() {
  return (
    <select
      aria-label={t('page.language')}
      onChange={({ currentTarget }) => chooseLanguage(currentTarget.value)}
    >
      {languages.map((code) => (
        <option key={code} value={code} lang={code} selected={code === language}>
          {new Intl.DisplayNames(code, { type: 'language' }).of(code)}
        </option>
      ))}
    </select>
  );
}
