/** Returns whether no message is waiting or in flight. */
export async function isQueueIdle(QueueUrl: string): Promise<boolean> {
  const response = await fetch(QueueUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.GetQueueAttributes',
    },
    body: JSON.stringify({ QueueUrl, AttributeNames: ['All'] }),
  });
  const { Attributes } = (await response.json()) as { Attributes: Record<string, string> };
  return ['', 'NotVisible'].every((state) => Number(Attributes[`ApproximateNumberOfMessages${state}`]) === 0);
}
