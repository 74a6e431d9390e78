// Shows the API's own document. Whoever logs in here is logged in for all calls that follow: the token stays in the
// page's memory, and goes with it.
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
