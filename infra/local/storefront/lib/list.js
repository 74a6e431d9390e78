import { get } from './api.js';
import { report } from './page.js';

/**
 * Fills a list from the API page by page: with a button for more while there is more, or with the sentence
 * that stands in the element `<id>-none` when there is nothing.
 * @param {string} id of the list's element
 * @param {string} path
 * @param {string} name under which the answer has the entries
 * @param {(entry: any) => Node | Promise<Node>} show
 * @param {Record<string, string>} [query]
 */
export async function fillList(id, path, name, show, query = {}) {
  const list = document.getElementById(id);
  const none = document.getElementById(`${id}-none`);
  const more = document.createElement('button');
  more.type = 'button';
  more.textContent = 'Show more';
  none.before(more);

  const next = async (cursor) => {
    const answer = await get(`${path}?${new URLSearchParams({ ...query, ...(cursor && { cursor }) })}`);
    list.append(...(await Promise.all(answer[name].map(show))));
    more.hidden = !answer.nextCursor;
    more.onclick = () => next(answer.nextCursor).catch((error) => report(error, none.parentElement));
  };
  await next();
  none.hidden = list.childElementCount > 0;
}
