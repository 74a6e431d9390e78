/** What we read of a webhook’s body, as JSON Schema for the API reference; there is more in it. */
export const webhookBody = {
  type: 'object',
  properties: {
    event: { type: 'string', examples: ['charge.completed'] },
    data: {
      type: 'object',
      properties: {
        id: { type: ['integer', 'string'], examples: [285959875] },
        status: { type: 'string', examples: ['successful'] },
        tx_ref: {
          type: 'string',
          description: 'Of a payment',
          examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'],
        },
        reference: { type: 'string', description: 'Of a transfer' },
        amount: { type: 'number', examples: [102.5] },
        currency: { type: 'string', examples: ['NGN'] },
      },
      required: ['id', 'status'],
    },
  },
  required: ['event', 'data'],
} as const;
