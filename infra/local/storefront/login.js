import { post } from './lib/api.js';
import { goOn, keepDestination } from './lib/destination.js';
import { form, onSubmit } from './lib/form.js';
import { page } from './lib/page.js';

await page(() => {
  keepDestination(document.getElementById('register'));
  onSubmit(form('login'), async (fields) => goOn((await post('/api/auth/login', fields)).token));
});
