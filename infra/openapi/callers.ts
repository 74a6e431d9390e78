import type { Contract } from '../../shared/http/contract.ts';

const callerNames: Record<Contract['caller'], string> = {
  anyone: 'anyone',
  optional: 'anyone',
  user: 'a user',
  organizer: 'an organizer',
  admin: 'an admin',
  gateway: 'a gateway',
};

/** Describes who may call an endpoint. */
export function describeCaller({ caller, callerDescription }: Contract): string {
  return callerDescription ?? callerNames[caller];
}
