import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Interface } from 'ethers';
import { type CompiledContract, compileContracts } from './solc.ts';

/**
 * `npm run compile-contract`: writes what the rest of the project uses of the ticket contract. Both files are
 * committed, so that only those who change the contract need to compile it; a test compares them with the sources.
 */

const deployable = new URL('./ticket-contract.json', import.meta.url);
const interfaceForServices = new URL('../../shared/chain/ticket-contract.ts', import.meta.url);

/** What the service calls, reads from logs, or has to explain when a call reverts. */
const usedByServices = new Set([
  'mintOrder',
  'mintOrders',
  'burn',
  'mintedQuantity',
  'firstTokenId',
  'ownerOf',
  'balanceOf',
  'transfersAllowed',
  'hasRole',
  'MINTER_ROLE',
  'supportsInterface',
  'Transfer',
  'InvalidQuantity',
  'ERC721InvalidReceiver',
  'ERC721InvalidOwner',
  'AccessControlUnauthorizedAccount',
]);

/** The generated files' paths and contents. */
export function generate(): { file: string; content: string }[] {
  const { BoxofficeTickets, IBoxofficeTickets } = compileContracts(
    ['infra/contracts/BoxofficeTickets.sol'],
    ['BoxofficeTickets', 'IBoxofficeTickets'],
  );
  const { abi, bytecode } = BoxofficeTickets;
  return [
    { file: fileURLToPath(deployable), content: `${JSON.stringify({ abi, bytecode }, null, 2)}\n` },
    {
      file: fileURLToPath(interfaceForServices),
      content: serviceModule(abi, interfaceId(IBoxofficeTickets)),
    },
  ];
}

function serviceModule(abi: CompiledContract['abi'], id: string): string {
  const fragments = new Interface(abi.filter(({ name }) => name && usedByServices.has(name))).format();
  return `// Generated from infra/contracts by \`npm run compile-contract\`. Do not edit.

/** The parts of the ticket contract that services use, as described in docs/contract.md. */
export const ticketContractAbi = [
${fragments.map((fragment) => `  '${fragment}',`).join('\n')}
] as const;

/** The ERC-165 interface id by which supportsInterface identifies a ticket contract. */
export const ticketInterfaceId = '${id}';
`;
}

/** As ERC-165 has it: the exclusive or of all selectors of the interface. */
function interfaceId({ selectors }: CompiledContract): string {
  const id = Object.values(selectors).reduce((sum, selector) => sum ^ BigInt(`0x${selector}`), 0n);
  return `0x${id.toString(16).padStart(8, '0')}`;
}

if (import.meta.main) for (const { file, content } of generate()) writeFileSync(file, content);
