/**
 * The source code of the CloudFront functions. It is text, since CloudFront has its own JavaScript runtime:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */

/** Sets a header with the viewer's address for the API, and overwrites a header of that name from the viewer. */
export const viewerAddressFunction = `function handler(event) {
  var request = event.request;
  request.headers['x-viewer-address'] = { value: event.viewer.ip };
  return request;
}
`;

/** Maps every path to embed.html, the page in the frame of `<boxoffice-tickets>`. */
export const embedMappingFunction = `function handler(event) {
  event.request.uri = '/embed.html';
  return event.request;
}
`;

/**
 * Maps the path of a page to index.html, and any other path to 404.html. Paths with a file extension stay unchanged.
 * @param pages patterns of the pages' paths, such as `/events/:id`
 */
export function pageMappingFunction(pages: readonly string[]): string {
  return `${generateIsPage(pages)}
function handler(event) {
  var request = event.request;
  if (/\\.\\w+$/.test(request.uri)) return request;
  request.uri = isPage(request.uri) ? '/index.html' : '/404.html';
  return request;
}
`;
}

/**
 * Sets the status 404 for a path that is no page. The event normally contains the path of the viewer's request. The
 * function also recognizes /404.html, the path that `pageMappingFunction` sets.
 */
export function notFoundStatusFunction(pages: readonly string[]): string {
  return `${generateIsPage(pages)}
function handler(event) {
  var uri = event.request.uri;
  var response = event.response;
  if (uri === '/404.html' || !(/\\.\\w+$/.test(uri) || isPage(uri))) {
    response.statusCode = 404;
    response.statusDescription = 'Not Found';
  }
  return response;
}
`;
}

/** Generates the source of `isPage`, which both functions call. */
function generateIsPage(pages: readonly string[]): string {
  const patterns = pages.map(
    (page) => `^${page.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}/?$`,
  );
  return `var pages = ${JSON.stringify(patterns)};
function isPage(uri) {
  return pages.some(function (page) { return new RegExp(page).test(uri); });
}`;
}
