/** What we read of a webhook’s body, as JSON Schema for the API reference; there is more in it. */
export const webhookBody = {
  type: 'object',
  properties: {
    type: { type: 'string', examples: ['checkout.session.completed'] },
    data: {
      type: 'object',
      properties: {
        object: {
          type: 'object',
          properties: {
            client_reference_id: { type: 'string', examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'] },
            payment_intent: { type: ['string', 'null'], examples: ['pi_3Nq8sample'] },
            payment_status: { type: 'string', examples: ['paid'] },
            amount_total: { type: 'integer', description: 'In subunits', examples: [10250] },
            currency: { type: 'string', examples: ['usd'] },
          },
          required: ['client_reference_id'],
        },
      },
      required: ['object'],
    },
  },
  required: ['type', 'data'],
} as const;
