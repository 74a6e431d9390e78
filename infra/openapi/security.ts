import type { Contract } from '../../shared/http/contract.ts';
import type { Operation } from './operations.ts';

const accessToken = 'accessToken';
const refreshToken = 'refreshToken';

/** Returns the authentication schemes: access token, refresh token, and one for each gateway. */
export function securitySchemes(operations: readonly Operation[]) {
  const gateways = operations.flatMap(({ contract: { signatureHeader, callerDescription: gatewayName } }) =>
    signatureHeader && gatewayName
      ? [[gatewayName, { type: 'apiKey', in: 'header', name: signatureHeader }]]
      : [],
  );
  return {
    [accessToken]: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The token that login and registration return; valid for 15 minutes',
    },
    [refreshToken]: {
      type: 'apiKey',
      in: 'cookie',
      name: 'refreshToken',
      description: 'Set by login and registration; valid for 7 days. Browsers send it automatically',
    },
    ...Object.fromEntries(gateways),
  };
}

/** Returns the alternative ways to authenticate. An empty alternative means that authentication is optional. */
export function security({
  caller,
  callerDescription: gatewayName,
  refreshCookie,
}: Contract): Record<string, string[]>[] {
  if (refreshCookie === 'needs') return [{ [refreshToken]: [] }];
  if (refreshCookie === 'clears') return [{}, { [refreshToken]: [] }];
  if (caller === 'gateway') return [{ [gatewayName ?? '']: [] }];
  if (caller === 'anyone') return [];
  return caller === 'optional' ? [{}, { [accessToken]: [] }] : [{ [accessToken]: [] }];
}
