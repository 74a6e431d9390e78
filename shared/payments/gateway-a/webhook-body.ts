/** What we read of a webhook’s body, as JSON Schema for the API reference; there is more in it. */
export const webhookBody = {
  type: 'object',
  properties: {
    event: { type: 'string', examples: ['charge.success'] },
    data: {
      type: 'object',
      properties: {
        id: { type: ['integer', 'string'], examples: [302961] },
        reference: { type: 'string', examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'] },
        amount: { type: 'integer', description: 'In subunits', examples: [10250] },
        currency: { type: 'string', examples: ['NGN'] },
      },
      required: ['id', 'reference'],
    },
  },
  required: ['event', 'data'],
} as const;
