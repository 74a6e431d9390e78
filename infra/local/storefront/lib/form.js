import { report } from './page.js';

/**
 * Sends a form when it is submitted: once, however often the button is pressed meanwhile. A refusal is shown
 * below it, and what was entered stays.
 * @param {HTMLFormElement} form
 * @param {(fields: any) => Promise<unknown>} sendFields given the form's fields by their names
 */
export function onSubmit(form, sendFields) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (form.ariaBusy) return;
    form.ariaBusy = 'true';
    form.querySelector(':scope > [role=alert]')?.remove();
    try {
      await sendFields(Object.fromEntries(new FormData(form)));
    } catch (error) {
      report(error, form);
    } finally {
      form.ariaBusy = null;
    }
  });
}

/** The form of a page. @param {string} id @returns {HTMLFormElement} */
export function form(id) {
  return /** @type {HTMLFormElement} */ (document.getElementById(id));
}
