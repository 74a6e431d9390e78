// Shows the OpenAPI document. After a login on this page, all later calls use its access token, which is kept in the
// page's memory only.
const reference = globalThis.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => {
    openOperation();
    addEventListener('hashchange', openOperation);
  },
  responseInterceptor: (response) => {
    const token = response.ok && /\/api\/auth\/\w/.test(response.url) && response.body?.token;
    if (token) reference.preauthorizeApiKey('accessToken', token);
    return response;
  },
});

/**
 * Opens the operation that the address names, such as `#/auth/login`. Swagger UI does so only when the page loads, not
 * when a link of the page changes the address.
 */
function openOperation() {
  if (!location.hash) return;
  reference.layoutActions.parseDeepLinkHash(location.hash);
  const [, tag, operation] = location.hash.split('/');
  requestAnimationFrame(() => document.getElementById(`operations-${tag}-${operation}`)?.scrollIntoView());
}
