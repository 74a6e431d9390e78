import { post } from './lib/api.js';
import { goOn, keepDestination } from './lib/destination.js';
import { form, onSubmit } from './lib/form.js';
import { page } from './lib/page.js';

await page(() => {
  keepDestination(document.getElementById('login'));
  onSubmit(form('registration'), async ({ walletAddress, ...fields }) => {
    const registration = { ...fields, walletAddress: walletAddress || null };
    return goOn((await post('/api/auth/register', registration)).token);
  });
});
