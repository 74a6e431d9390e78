import type { Contract } from '../../shared/http/contract.ts';

const names: Record<Contract['caller'], string> = {
  anyone: 'anyone',
  optional: 'anyone',
  user: 'a user',
  organizer: 'an organizer',
  admin: 'an admin',
  gateway: 'a gateway',
};

/** Describes who may call an endpoint. */
export function describeCaller({ caller, callerDescription }: Contract): string {
  return callerDescription ?? names[caller];
}
