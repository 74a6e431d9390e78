import { required } from '../../env.ts';
import { requiredSecret } from '../../secrets.ts';
import { callProvider, type ProviderAnswer, providerFailed } from '../provider-call.ts';

/**
 * One call to gateway-a, which speaks Paystack's protocol: https://paystack.com/docs/api
 * @throws DomainError as callProvider does, and when whoever answers does not speak the protocol
 */
export async function callGatewayA(
  method: 'GET' | 'POST',
  path: string,
  { body, limitMilliseconds }: { body?: object; limitMilliseconds?: number } = {},
): Promise<ProviderAnswer> {
  const bearer = await requiredSecret('GATEWAY_A_SECRET');
  const answer = await callProvider({
    method,
    url: required('GATEWAY_A_URL') + path,
    bearer,
    body,
    limitMilliseconds,
  });
  if (typeof answer.body.status !== 'boolean') throw providerFailed('an answer in another form');
  return answer;
}
