/**
 * The code of the two CloudFront functions that see a request first. They run in CloudFront's own JavaScript runtime,
 * so that they are texts here: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */

/** Sets the viewer's address in a header for the API, and overwrites such a header of the viewer. */
export const nameViewer = `function handler(event) {
  var request = event.request;
  request.headers['x-viewer-address'] = { value: event.viewer.ip };
  return request;
}
`;

/**
 * Maps the path of a page to its file. Paths with a file extension stay unchanged.
 * @param pages the file for each pattern, `/events/:id`; any other address gets index.html
 */
export function findPage(pages: Record<string, string>): string {
  const patterns = Object.entries(pages).map(([pattern, file]) => [
    `^${pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}/?$`,
    `/${file}`,
  ]);
  return `var pages = ${JSON.stringify(patterns)};
function handler(event) {
  var request = event.request;
  if (/\\.\\w+$/.test(request.uri)) return request;
  var page = pages.find(function (candidate) { return new RegExp(candidate[0]).test(request.uri); });
  request.uri = page ? page[1] : '/index.html';
  return request;
}
`;
}
