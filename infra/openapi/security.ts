import type { Contract } from '../../shared/http/contract.ts';
import type { Operation } from './operations.ts';

const accessToken = 'accessToken';
const refreshToken = 'refreshToken';

/** The ways in which callers prove who they are; one for each gateway. */
export function securitySchemes(operations: readonly Operation[]) {
  const gateways = operations.flatMap(({ contract: { signatureHeader, who } }) =>
    signatureHeader && who ? [[who, { type: 'apiKey', in: 'header', name: signatureHeader }]] : [],
  );
  return {
    [accessToken]: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The token that login and registration answer with; good for 15 minutes',
    },
    [refreshToken]: {
      type: 'apiKey',
      in: 'cookie',
      name: 'refreshToken',
      description: 'Set by login and registration; good for 7 days. Browsers send it by themselves',
    },
    ...Object.fromEntries(gateways),
  };
}

/** What an endpoint wants to see; an empty choice means that it serves without, too. */
export function security({ caller, who, refreshCookie }: Contract): Record<string, string[]>[] {
  if (refreshCookie === 'needs') return [{ [refreshToken]: [] }];
  if (refreshCookie === 'ends') return [{}, { [refreshToken]: [] }];
  if (caller === 'gateway') return [{ [who ?? '']: [] }];
  if (caller === 'anyone') return [];
  return caller === 'optional' ? [{}, { [accessToken]: [] }] : [{ [accessToken]: [] }];
}
