import { patch } from './lib/api.js';
import { form, onSubmit } from './lib/form.js';
import { privatePage } from './lib/page.js';
import { put } from './lib/template.js';

await privatePage((user) => {
  const account = form('account');
  const status = account.querySelector('[role=status]');
  show(account, user);
  onSubmit(account, async ({ name, walletAddress }) => {
    status.textContent = '';
    show(account, (await patch('/api/auth/me', { name, walletAddress: walletAddress || null })).user);
    status.textContent = 'Saved.';
  });
});

/** @param {HTMLFormElement} account @param {import('./lib/page.js').User} user */
function show(account, { email, name, walletAddress }) {
  put(account, { email });
  const { elements } = account;
  /** @type {HTMLInputElement} */ (elements.namedItem('name')).value = name;
  /** @type {HTMLInputElement} */ (elements.namedItem('walletAddress')).value = walletAddress ?? '';
}
