import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { openApiDocument } from '../../../infra/openapi/document.ts';
import { type Operation, readOperations } from '../../../infra/openapi/operations.ts';
import { SchemaChecker } from '../../support/http.ts';
import { reachableFrom, readSource } from '../imports.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is not validated here
type Json = any;

let operations: Operation[];
let document: Json;
beforeAll(async () => {
  operations = await readOperations();
  // In the form that callers receive.
  document = JSON.parse(JSON.stringify(openApiDocument(operations, { version: '1.0.0', license: 'MIT' })));
});

const listOperations = (): Json[] =>
  Object.values(document.paths).flatMap((path) => Object.values(path as Json));
const isValid = async (candidate: Json) => (await new Validator().validate(candidate)).valid;

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    expect(document.openapi).toBe('3.1.0');
    const broken = structuredClone(document);
    broken.paths['/api/health'].get.responses['200'].description = 7;
    expect(await isValid(broken)).toBe(false);
  });

  it('has every endpoint, each with a unique operation id', () => {
    const routes = functions.flatMap(({ trigger }) =>
      'route' in trigger && trigger.route.includes(' /api/') ? [trigger.route] : [],
    );
    const paths = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as Json).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(paths.sort()).toEqual(routes.sort());
    const ids = listOperations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(routes.length);
  });

  it('declares every path parameter', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const expected = Array.from(path.matchAll(/{(\w+)}/g), ([, name]) => name);
      for (const { parameters } of Object.values(methods as Json) as Json[]) {
        const declared = parameters
          .filter((parameter: Json) => parameter.in === 'path')
          .map((parameter: Json) => parameter.name);
        expect(declared.sort(), path).toEqual(expected.sort());
      }
    }
  });

  /** Returns the paths of a schema's fields without a description. A `$ref` is described by its target. */
  function findUndescribed(schema: Json, path: string): string[] {
    const { properties = {}, items, anyOf = [] } = schema;
    const parts = [...anyOf, ...(items ? [items] : [])].flatMap((part: Json) => findUndescribed(part, path));
    const fields = Object.entries(properties).flatMap(([name, field]: [string, Json]) => {
      const target = document.components.schemas[field.$ref?.split('/').at(-1)];
      const fieldPath = `${path}.${name}`;
      return [
        ...(field.description || target?.description ? [] : [fieldPath]),
        ...findUndescribed(target ?? field, fieldPath),
      ];
    });
    return [...parts, ...fields];
  }

  it('describes every field of a request', () => {
    const missing = listOperations().flatMap(({ operationId, parameters, requestBody }) => [
      ...parameters
        .filter((parameter: Json) => !parameter.description)
        .map((parameter: Json) => `${operationId} ${parameter.in} ${parameter.name}`),
      ...findUndescribed(requestBody?.content['application/json'].schema ?? {}, `${operationId} body`),
    ]);
    expect(missing).toEqual([]);
    expect(findUndescribed({ properties: { amount: { type: 'number' } } }, 'body')).toEqual(['body.amount']);
  });

  it('explains every error code in the description of its status', () => {
    for (const { operationId, responses } of listOperations()) {
      for (const [status, { description, headers }] of Object.entries(responses) as [string, Json][]) {
        const codes = Number(status) >= 400 ? headers['x-error-code'].schema.enum : [];
        for (const code of codes)
          expect(description, operationId).toMatch(new RegExp(`\`${code}\`: \\w.+\\.`));
      }
    }
  });

  it('has examples that match their schemas', () => {
    const checker = new SchemaChecker(document);
    const contents = listOperations().flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((part: Json) =>
        Object.values(part?.content ?? {}).map((media: Json) => ({ operationId, ...media })),
      ),
    );
    const examples = contents.filter((media) => 'example' in media);
    expect(examples.length).toBeGreaterThan(listOperations().length);
    for (const { operationId, schema, example } of examples) {
      expect(checker.findErrors(schema, example), operationId).toEqual([]);
    }
  });

  it('has examples of fields and parameters that match their schemas', () => {
    const checker = new SchemaChecker(document);
    const findSchemasWithExamples = (node: Json): Json[] =>
      typeof node === 'object' && node !== null
        ? [
            ...(Array.isArray(node.examples) ? [node] : []),
            ...Object.values(node).flatMap(findSchemasWithExamples),
          ]
        : [];
    const schemas = findSchemasWithExamples(document);
    expect(schemas.length).toBeGreaterThan(100);
    for (const schema of schemas) {
      for (const example of schema.examples) expect(checker.findErrors(schema, example)).toEqual([]);
    }
  });

  it('has examples of request bodies that the endpoints accept', () => {
    for (const { path, method, contract } of operations) {
      const body = contract.body as Json;
      if (!body?.safeParse) continue;
      const { example } = document.paths[path][method.toLowerCase()].requestBody.content['application/json'];
      expect(body.safeParse(example).error, `${method} ${path}`).toBeUndefined();
    }
  });

  it('declares the security scheme of protected endpoints', () => {
    const { securitySchemes } = document.components;
    expect(securitySchemes.accessToken).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(securitySchemes.refreshToken).toMatchObject({ in: 'cookie', name: 'refreshToken' });
    const { paths } = document;
    expect(paths['/api/orders'].get.security).toEqual([{ accessToken: [] }]);
    expect(paths['/api/events'].get.security).toEqual([{}, { accessToken: [] }, { apiKey: ['events:read'] }]);
    expect(paths['/api/auth/login'].post.security).toEqual([]);
    expect(paths['/api/auth/refresh-token'].post.security).toEqual([{ refreshToken: [] }]);
    expect(paths['/api/webhooks/gateway-b'].post.security).toEqual([{ 'gateway-b': [] }]);
    expect(securitySchemes['gateway-b']).toMatchObject({ in: 'header', name: 'verif-hash' });
  });
});

describe('a documented error code', () => {
  /** Returns whether a handler or its imports throw an error with this code. */
  function isThrown(code: string, file: string): boolean {
    const notFoundResource = /^(\w+)-not-found$/.exec(code)?.[1];
    const thrown = new RegExp(
      `\\b(conflict|DomainError|gone|invalid|unauthenticated|forbidden)\\([^;]*'${code}'`,
    );
    return [...reachableFrom(file)]
      .filter((target) => target.endsWith('.ts') && target !== 'shared/core/errors.ts')
      .map(readSource)
      .some((source) =>
        notFoundResource
          ? new RegExp(`notFound\\('${notFoundResource}'\\)`, 'i').test(source)
          : thrown.test(source) || source.includes(`throw ${code}(`) || source.includes(`=> ${code}(`),
      );
  }

  it('is thrown in the endpoint’s code', () => {
    const documentedErrors = operations.flatMap(({ row, contract }) =>
      (contract.errors ?? []).map((code) => ({ code, file: `functions/${row.entry}.ts` })),
    );
    expect(documentedErrors.length).toBeGreaterThan(50);
    expect(documentedErrors.filter(({ code, file }) => !isThrown(code, file))).toEqual([]);
    expect(isThrown('sold-out', 'functions/auth/login.ts')).toBe(false);
  });
});
