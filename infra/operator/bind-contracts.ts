import { parseArgs } from 'node:util';
import { DomainError } from '../../shared/core/errors.ts';
import { bindMintedContracts } from './minted-contracts.ts';
import { setTableEnvironment } from './set-table-environment.ts';

// npm run bind-contracts -- --admin <user id>
// Binds each contract to the only organizer who has minted on it.

const { values } = parseArgs({ options: { admin: { type: 'string' } } });
try {
  if (!values.admin)
    throw new DomainError(
      'invalid',
      'invalid-input',
      'Pass the user id of the ADMIN who makes the bindings: --admin <user id>',
    );
  setTableEnvironment();
  const { bound, shared } = await bindMintedContracts(values.admin);
  for (const { chainId, address, organizerId } of bound)
    console.log(`${address} on chain ${chainId}: bound to ${organizerId}`);
  for (const { chainId, address, organizers } of shared) {
    console.log(
      `${address} on chain ${chainId}: not bound, since several organizers minted on it: ${organizers.join(', ')}`,
    );
  }
  console.log(`${bound.length} contracts bound, ${shared.length} need a decision.`);
} catch (error) {
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
