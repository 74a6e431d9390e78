import { required } from '../../env.ts';
import { requiredSecret } from '../../secrets.ts';
import { callProvider, type ProviderAnswer } from '../provider-call.ts';

/** One call to gateway-a, which speaks Paystack's protocol: https://paystack.com/docs/api */
export async function callGatewayA(
  method: 'GET' | 'POST',
  path: string,
  { body, limitMilliseconds }: { body?: object; limitMilliseconds?: number } = {},
): Promise<ProviderAnswer> {
  const bearer = await requiredSecret('GATEWAY_A_SECRET');
  return callProvider({ method, url: required('GATEWAY_A_URL') + path, bearer, body, limitMilliseconds });
}
