import { notFound } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItem, getItems } from '../../dynamo/read.ts';
import { remove, update, type Write, write } from '../../dynamo/write.ts';
import {
  type ContractBinding,
  contractBinding,
  type ObservedContract,
  observedContract,
} from './contract.ts';

type BindingReference = Pick<ContractBinding, 'chainId' | 'address' | 'organizerId'>;

const toKey = ({ chainId, address, organizerId }: BindingReference) =>
  keys.contractBinding(chainId, address, organizerId);

/** Returns the bindings in the order of `references`, in one read; undefined for one that does not exist. */
export async function findBindings(
  references: readonly BindingReference[],
): Promise<(ContractBinding | undefined)[]> {
  const items = await getItems(references.map(toKey));
  return items.map((item) => item && contractBinding.parse(item));
}

/** Returns the bindings and the observed contracts in the order of `references`, in one read. */
export async function findContracts(
  references: readonly BindingReference[],
): Promise<{ binding: ContractBinding | undefined; observed: ObservedContract | undefined }[]> {
  const items = await getItems(
    references.flatMap((reference) => [
      toKey(reference),
      keys.observedContract(reference.chainId, reference.address),
    ]),
  );
  return references.map((_, index) => {
    const [binding, observed] = [items[2 * index], items[2 * index + 1]];
    return {
      binding: binding && contractBinding.parse(binding),
      observed: observed && observedContract.parse(observed),
    };
  });
}

/**
 * Returns the write that binds a contract to an organizer. It keeps the other fields of an existing binding: a
 * contract can be bound both by an ADMIN and by a wallet.
 */
export function putBinding({ chainId, address, organizerId, ...binding }: ContractBinding): Write {
  const reference = { chainId, address, organizerId };
  return update(toKey(reference), { set: { ...reference, ...binding } });
}

/**
 * Records whether a binding's wallet administers the contract; null when the nodes gave no answer. Does nothing when the
 * binding was removed.
 */
export async function recordAdminCheck(reference: BindingReference, isAdmin: boolean | null): Promise<void> {
  const condition = { when: 'attribute_exists(#pk)', orThrow: () => new BindingRemoved() };
  try {
    await write(update(toKey(reference), { set: { isAdmin } }, condition));
  } catch (error) {
    if (!(error instanceof BindingRemoved)) throw error;
  }
}

class BindingRemoved extends Error {}

/**
 * Returns the write that removes a binding. @throws DomainError 404 from the write, when the contract is not bound to
 * the organizer
 */
export function removeBinding(reference: BindingReference): Write {
  return remove(toKey(reference), { when: 'attribute_exists(#pk)', orThrow: () => notFound('Contract') });
}

/** Records an observation of a contract. An observation without a name keeps the stored name. */
export async function recordObservation({ chainId, address, ...observed }: ObservedContract): Promise<void> {
  const { name, ...fields } = observed;
  const set = { chainId, address, ...fields, ...(name !== undefined && { name }) };
  await write(update(keys.observedContract(chainId, address), { set }));
}

export async function findObservedContract(
  chainId: number,
  address: string,
): Promise<ObservedContract | undefined> {
  const item = await getItem(keys.observedContract(chainId, address));
  return item && observedContract.parse(item);
}
