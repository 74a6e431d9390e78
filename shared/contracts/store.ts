import { notFound } from '../core/errors.ts';
import { getItem } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { remove, update, type Write, write } from '../dynamo/write.ts';
import { type ContractBinding, contractBinding } from './contract.ts';

type Place = Pick<ContractBinding, 'chainId' | 'address' | 'organizerId'>;

const keyOf = ({ chainId, address, organizerId }: Place) =>
  keys.contractBinding(chainId, address, organizerId);

export async function findBinding(place: Place): Promise<ContractBinding | undefined> {
  const item = await getItem(keyOf(place));
  return item && contractBinding.parse(item);
}

/** Binds a contract to an organizer, beside what bound it before. */
export function putBinding({ chainId, address, organizerId, ...binding }: ContractBinding): Write {
  const place = { chainId, address, organizerId };
  return update(keyOf(place), { set: { ...place, ...binding } });
}

/** @throws DomainError 404 when the contract is not bound to the organizer */
export async function removeBinding(place: Place): Promise<void> {
  await write(remove(keyOf(place), { when: 'attribute_exists(#pk)', refused: () => notFound('Contract') }));
}
