// Shows the OpenAPI document. After a login on this page, all later calls use its access token, which is kept in the
// page's memory only.
const reference = globalThis.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
  validatorUrl: null,
  responseInterceptor: (response) => {
    const token = response.ok && /\/api\/auth\/\w/.test(response.url) && response.body?.token;
    if (token) reference.preauthorizeApiKey('accessToken', token);
    return response;
  },
});

// Swagger UI reads the address only when the page is opened, and the links of the hint change it later: to #/auth/login.
addEventListener('hashchange', () => {
  reference.layoutActions.parseDeepLinkHash(location.hash);
  const [, tag, operation] = location.hash.split('/');
  requestAnimationFrame(() => document.getElementById(`operations-${tag}-${operation}`)?.scrollIntoView());
});
