/** A webhook's body as an object; an empty one for anything that is no JSON object. */
// biome-ignore lint/suspicious/noExplicitAny: providers send what they like, each adapter picks what it knows
export function parseWebhook(body: Buffer): Record<string, any> {
  try {
    const parsed = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
