#!/usr/bin/env node
/*
 * Verifies the draw of a queue from public answers. It needs Node 20 or later, and nothing of this repository.
 *
 *   node verify-draw.mjs https://tickets.example.com <event id> [--commitment <hex>] [--place <id>] [--rpc <url>]
 *
 * --commitment  what the service published before the draw; note it down while the queue is open
 * --place       a place whose number is shown
 * --rpc         a node of the event's chain, to check the public value
 */
import { createHash, createHmac } from 'node:crypto';

const [origin = '', eventId = '', ...rest] = process.argv.slice(2);
const options = Object.fromEntries(
  Array.from({ length: Math.ceil(rest.length / 2) }, (_, index) => rest.slice(2 * index, 2 * index + 2)),
);
const path = `${origin.replace(/\/$/, '')}/api/events/${encodeURIComponent(eventId)}/queue`;
const print = (...texts) => process.stdout.write(`${texts.join(' ')}\n`);
const fromHex = (text) => Buffer.from(text, 'hex');
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

function require(condition, sentence) {
  if (!condition) {
    process.stderr.write(`NOT VERIFIED: ${sentence}\n`);
    process.exit(1);
  }
}

async function read(address) {
  const response = await fetch(address);
  const body = await response.json();
  require(response.ok, `${address} answers ${response.status}: ${body.error}`);
  return body;
}

async function callNode(url, method, params) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()).result;
}

/** The public value has to be the hash of the first block at or after the time of the draw. */
async function checkBlock(rpc, { publicValue, publicValueSource }, drawAt) {
  const number = Number(/block (\d+)/.exec(publicValueSource)?.[1]);
  require(number > 0, `the public value comes from "${publicValueSource}"`);
  const readBlock = (height) => callNode(rpc, 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false]);
  const [before, block] = await Promise.all([readBlock(number - 1), readBlock(number)]);
  require(block?.hash === `0x${publicValue}`, `block ${number} has the hash ${block?.hash}`);
  const isFirst = Number(block.timestamp) * 1000 >= drawAt && Number(before.timestamp) * 1000 < drawAt;
  require(isFirst, `block ${number} is not the first one at or after the time of the draw`);
}

const state = await read(path);
const first = await read(`${path}/draw`);
const { seed, publicValue, count, pages } = first;
const commitment = options['--commitment'] ?? state.commitment;
require(/^[0-9a-f]{64}$/.test(seed), 'the seed does not have 32 bytes');
require(sha256(fromHex(seed)).toString('hex') === commitment, 'the seed does not match the commitment');
require(state.seed === seed && state.publicValue === publicValue, 'the state has another seed or value');
if (options['--rpc']) await checkBlock(options['--rpc'], first, Date.parse(state.drawAt));

const key = sha256(fromHex(seed), fromHex(publicValue));
const ids = new Set();
let previous = Buffer.alloc(0);
for (let page = 1; page <= pages; page++) {
  const answer = page === 1 ? first : await read(`${path}/draw?page=${page}`);
  require(answer.seed === seed && answer.count === count, `page ${page} belongs to another draw`);
  for (const { id, number } of answer.places) {
    const draw = createHmac('sha256', key).update(id).digest();
    require(!ids.has(id), `the place ${id} occurs twice`);
    ids.add(id);
    require(number === ids.size, `the place ${id} has the number ${number} in place of ${ids.size}`);
    require(Buffer.compare(previous, draw) < 0, `the place ${id} is not in the order of the draw`);
    previous = draw;
    if (id === options['--place']) print(`Place ${id} has the number ${number}`);
  }
}
require(ids.size === count, `${ids.size} of ${count} places are listed`);
const isListed = !options['--place'] || ids.has(options['--place']);
require(isListed, `the place ${options['--place']} was not drawn`);
print(`Verified: ${count} places in the order of their draws.`);
if (!options['--commitment']) print('Compare the commitment with the one from before the draw:', commitment);
if (!options['--rpc']) print(`The public value was not checked: ${first.publicValueSource}.`);
