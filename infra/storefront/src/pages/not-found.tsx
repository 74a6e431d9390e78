import { Page } from '../components/page.tsx';
import { t } from '../texts/shop.ts';

export function NotFoundPage() {
  return (
    <Page title={t('page.notFound')}>
      <h1>{t('page.notFound')}</h1>
      <p>
        {t('page.nothingHere')} <a href="/">{t('page.seeEvents')}</a>
      </p>
    </Page>
  );
}
