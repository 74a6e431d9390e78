import { type FunctionRow, functionName } from '../functions.ts';

export interface Match {
  functionName: string;
  /** `POST /api/orders/{id}/cancel`, or `$default`. */
  routeKey: string;
  pathParameters?: Record<string, string>;
}

interface Route {
  functionName: string;
  routeKey: string;
  method: string;
  segments: string[];
}

/** Matches requests to routes as API Gateway does: a literal segment wins over a {parameter}. */
export class Routes {
  readonly #routes: Route[] = [];
  readonly #fallback: string | undefined;

  constructor(rows: readonly FunctionRow[]) {
    for (const row of rows) {
      if (!('route' in row.trigger)) continue;
      const routeKey = row.trigger.route;
      const [method, path] = routeKey.split(' ');
      if (!method || !path) this.#fallback = functionName(row);
      else
        this.#routes.push({ functionName: functionName(row), routeKey, method, segments: path.split('/') });
    }
    this.#routes.sort((a, b) => specificity(a).localeCompare(specificity(b)));
  }

  /** @returns undefined when no route matches and there is no `$default` */
  find(method: string, path: string): Match | undefined {
    const segments = path.split('/').map(decode);
    const route = this.#routes.find((candidate) => candidate.method === method && fits(candidate, segments));
    if (route) {
      return {
        functionName: route.functionName,
        routeKey: route.routeKey,
        pathParameters: parameters(route, segments),
      };
    }
    return this.#fallback ? { functionName: this.#fallback, routeKey: '$default' } : undefined;
  }
}

/** Sorts literal segments before parameters, from the left. */
function specificity({ segments }: Route): string {
  return segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');
}

function fits(route: Route, segments: string[]): boolean {
  return (
    route.segments.length === segments.length &&
    route.segments.every((wanted, at) =>
      isParameter(wanted) ? segments[at] !== '' : wanted === segments[at],
    )
  );
}

function parameters(route: Route, segments: string[]): Record<string, string> | undefined {
  const pairs = route.segments.flatMap((wanted, at) =>
    isParameter(wanted) ? [[wanted.slice(1, -1), segments[at] ?? '']] : [],
  );
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
