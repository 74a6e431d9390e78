/**
 * Puts values where the markup asks for them: as text by `data-text="name"`, as a link's address by
 * `data-href="name"`, as a picture's by `data-src="name"`. What has no value is hidden, and so is an element whose
 * `data-if="name"` has none.
 * Values are always text: whatever an organizer calls an event, it never becomes markup.
 * @template {ParentNode} Root
 * @param {Root} root
 * @param {Record<string, string | number | boolean | null | undefined>} values
 * @returns {Root}
 */
export function put(root, values) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-text]'))) {
    const value = values[element.dataset.text];
    const text = `${value ?? ''}`;
    // The same text again would have screen readers say it again.
    if (element.textContent !== text) element.textContent = text;
    element.hidden = isAbsent(value);
  }
  for (const element of /** @type {NodeListOf<HTMLAnchorElement>} */ (root.querySelectorAll('[data-href]'))) {
    const value = values[element.dataset.href];
    element.href = `${value ?? ''}`;
    element.hidden = isAbsent(value);
  }
  for (const element of /** @type {NodeListOf<HTMLImageElement>} */ (root.querySelectorAll('[data-src]'))) {
    const value = values[element.dataset.src];
    if (!isAbsent(value)) element.src = `${value}`;
    element.hidden = isAbsent(value);
  }
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-if]'))) {
    element.hidden = isAbsent(values[element.dataset.if]);
  }
  return root;
}

/**
 * A copy of what is in the page's `<template>` of that id, with values put in.
 * @param {string} id
 * @param {Parameters<typeof put>[1]} [values]
 * @returns {HTMLElement}
 */
export function copy(id, values = {}) {
  const { content } = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  return put(/** @type {HTMLElement} */ (content.firstElementChild.cloneNode(true)), values);
}

function isAbsent(value) {
  return value === undefined || value === null || value === '' || value === false;
}
