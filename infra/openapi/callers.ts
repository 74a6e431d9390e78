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
export function describeCaller({ caller, callerDescription: who }: Contract): string {
  return who ?? names[caller];
}
