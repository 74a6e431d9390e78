import { required } from '../../env.ts';
import { requiredSecret } from '../../secrets.ts';
import { callProvider, type ProviderAnswer, providerFailed } from '../provider-call.ts';

/**
 * One call to gateway-b, which speaks Flutterwave's v3 protocol: https://developer.flutterwave.com/v3.0
 * @throws DomainError as callProvider does, and when whoever answers does not speak the protocol
 */
export async function callGatewayB(
  method: 'GET' | 'POST',
  path: string,
  { body, limitMilliseconds }: { body?: object; limitMilliseconds?: number } = {},
): Promise<ProviderAnswer> {
  const bearer = await requiredSecret('GATEWAY_B_SECRET_KEY');
  const answer = await callProvider({
    method,
    url: required('GATEWAY_B_URL') + path,
    bearer,
    body,
    limitMilliseconds,
  });
  if (typeof answer.body.status !== 'string') throw providerFailed('an answer in another form');
  return answer;
}
