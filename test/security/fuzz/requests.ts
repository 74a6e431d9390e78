import * as fc from 'fast-check';
import type * as z from 'zod';
import { mostlyValid } from './arbitraries.ts';
import { type Body, bodiesOf } from './bodies.ts';
import { headersFor } from './headers.ts';
import { valuesOf } from './schema-values.ts';
import type { WireRequest } from './send.ts';
import { targetsOf } from './targets.ts';
import type { World } from './world.ts';

/** The request schemas of an endpoint's contract. */
export interface Contract {
  body?: z.ZodType;
  query?: z.ZodType;
}

const emptyBody: Body = { bytes: Buffer.alloc(0), headers: [] };

/** Generates valid and invalid requests to an endpoint. */
export function requestsTo(route: string, contract: Contract, world: World): fc.Arbitrary<WireRequest> {
  const [method = '', path = ''] = route.split(' ');
  const bodies = contract.body
    ? bodiesOf(valuesOf(contract.body, world.samples))
    : mostlyValid(fc.constant(emptyBody), bodiesOf(fc.jsonValue()));
  return fc
    .tuple(targetsOf(path, contract.query, world), headersFor(route, world), bodies)
    .map(([target, headers, body]) => ({
      method,
      target,
      headers: [...headers, ...body.headers],
      body: body.bytes,
    }));
}
