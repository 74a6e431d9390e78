import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * `npm run nightly -- contract-mutants`: changes one rule of the ticket contract at a time, in a copy of the project, and
 * runs the contract's tests and its model there. Fails when they pass with a changed rule, or when a text has changed.
 */
const rules: [file: string, text: string, replacement: string][] = [
  ['ERC721Orders', 'if (head.quantity != 0) return;', ''],
  ['ERC721Orders', 'quantity == 0 || quantity > MAX_ORDER_QUANTITY', 'quantity == 0'],
  ['ERC721Orders', 'quantity == 0 || quantity > MAX_ORDER_QUANTITY', 'quantity > MAX_ORDER_QUANTITY'],
  ['ERC721Orders', 'if (to == address(0)) revert ERC721InvalidReceiver(address(0));', ''],
  ['ERC721Orders', '_increaseBalance(to, uint128(quantity));', ''],
  ['ERC721Orders', 'let end := add(firstId, quantity)', 'let end := add(firstId, sub(quantity, 1))'],
  ['ERC721Orders', '& INDEX_MASK < head.quantity', '& INDEX_MASK <= head.quantity'],
  ['ERC721Orders', 'if (to == address(0)) _setBurned(tokenId);', ''],
  ['ERC721Orders', 'burned |= uint80(1 << index)', 'burned = uint80(1 << index)'],
  ['ERC721Orders', 'if (index >= INLINE_BITS) {', 'if (index > INLINE_BITS) {'],
  ['ERC721Orders', '_burnedBeyond.set(tokenId);', ''],
  ['ERC721Orders', 'if (index < INLINE_BITS) return', 'if (index <= INLINE_BITS) return'],
  [
    'BoxofficeTickets',
    ') external onlyRoleOrAdmin(BURNER_ROLE) {\n        if (holder',
    ') external {\n        if (holder',
  ],
  [
    'BoxofficeTickets',
    'if (_ownerOf(tokenIds[index]) == holder) _burn',
    'if (_ownerOf(tokenIds[index]) != address(0)) _burn',
  ],
  [
    'BoxofficeTickets',
    'lock(uint256[] calldata tokenIds) external onlyRoleOrAdmin(BURNER_ROLE)',
    'lock(uint256[] calldata tokenIds) external',
  ],
  ['BoxofficeTickets', '_rules.anyLocked = true;', ''],
  ['BoxofficeTickets', '_ownerOf(tokenId) == address(0) || _locked.get(tokenId)', '_locked.get(tokenId)'],
  ['BoxofficeTickets', 'emit IERC6982.Locked(tokenId, true);', ''],
  ['BoxofficeTickets', 'if (!rules.allowed) revert TransfersRefused();', ''],
  ['BoxofficeTickets', 'if (rules.anyLocked && _locked.get(tokenId)) revert TicketLocked(tokenId);', ''],
  ['BoxofficeTickets', 'if (to != address(0)) _checkTransfer(to, tokenId);', '_checkTransfer(to, tokenId);'],
  ['BoxofficeTickets', 'return !_rules.allowed || _locked.get(tokenId);', 'return !_rules.allowed;'],
  ['BoxofficeTickets', 'emit DefaultLocked(!allowed);', ''],
  ['BoxofficeTickets', 'emit DefaultLocked(!transfersAllowed_);', ''],
  ['BoxofficeTickets', '_grantRole(METADATA_ROLE, minters[index]);', ''],
  [
    'BoxofficeTickets',
    ') external onlyRoleOrAdmin(METADATA_ROLE) {',
    ') external onlyRoleOrAdmin(MINTER_ROLE) {',
  ],
  [
    'BoxofficeTickets',
    'validateTransfer(msg.sender, _ownerOf(tokenId), to, tokenId)',
    'validateTransfer(msg.sender, to, to, tokenId)',
  ],
  [
    'BoxofficeTickets',
    'function setTransferValidator(address validator) external onlyRole(DEFAULT_ADMIN_ROLE)',
    'function setTransferValidator(address validator) external',
  ],
];

const root = path.resolve(import.meta.dirname, '../..');
const copy = mkdtempSync(path.join(tmpdir(), 'contract-mutants-'));
for (const part of ['infra', 'shared', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts']) {
  cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
}
symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));

const report = path.join(copy, 'report.json');
const files = ['test/contracts/tickets.test.ts', 'test/contracts/properties.test.ts'];
for (const [contract, text, replacement] of rules) {
  const file = path.join(copy, `infra/contracts/${contract}.sol`);
  const source = readFileSync(file, 'utf8');
  if (source.split(text).length !== 2) throw new Error(`${contract} does not have this text once: ${text}`);
  writeFileSync(file, source.replace(text, replacement));
  const args = [
    'run',
    '--project',
    'contracts',
    '--bail=1',
    '--reporter=json',
    `--outputFile=${report}`,
    ...files,
  ];
  spawnSync('vitest', args, { cwd: copy });
  writeFileSync(file, source);
  // Sources that do not compile have no failed test.
  const isFound = JSON.parse(readFileSync(report, 'utf8')).numFailedTests > 0;
  console.log(`${isFound ? 'found' : 'NOT FOUND'}: ${text.split('\n')[0]} → ${replacement.split('\n')[0]}`);
  if (!isFound) process.exitCode = 1;
}
rmSync(copy, { recursive: true });
