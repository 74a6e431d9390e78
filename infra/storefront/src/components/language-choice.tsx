import { ok, updateMe } from 'boxoffice-client';
import { useSession } from '../session/user.tsx';
import { t } from '../texts/shop.ts';
import { chooseLanguage, language, languages } from '../texts/texts.ts';

/** The choice of the pages' language, which is then also that of mails to the user. */
export function LanguageChoice() {
  const { user } = useSession();
  const choose = async (code: string) => {
    // The page changes its language also when the service can't be reached.
    if (user) await ok(updateMe({ language: code })).catch(() => {});
    chooseLanguage(code);
  };
  return (
    <select aria-label={t('page.language')} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {languages.map((code) => (
        <option key={code} value={code} lang={code} selected={code === language}>
          {new Intl.DisplayNames(code, { type: 'language' }).of(code)}
        </option>
      ))}
    </select>
  );
}
