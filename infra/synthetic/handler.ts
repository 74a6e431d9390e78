import { smokeTest } from '../ops/smoke-test.ts';

/** The function of the stage value `syntheticPurchase`: buys a free ticket, checks it in, and cleans up. */
export async function handler(): Promise<void> {
  const { API_URL: url = '' } = process.env;
  for await (const step of smokeTest({ url, isFree: true })) console.log(step);
}
