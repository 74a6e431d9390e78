import { type FunctionRow, functionName } from '../../functions.ts';

export interface RouteMatch {
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

/**
 * Finds the function for a request, as API Gateway does: a literal segment has priority over a {parameter}, which has
 * priority over a greedy {parameter+}. `$default` is last.
 */
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
  find(method: string, path: string): RouteMatch | undefined {
    const segments = path.split('/').map(decode);
    const route = this.#routes.find(
      (candidate) => candidate.method === method && matchesRoute(candidate, segments),
    );
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

/**
 * Returns a sort key that puts literal segments before parameters, and parameters before greedy ones, from the left.
 */
function specificity({ segments }: Route): string {
  return segments.map((segment) => (isGreedy(segment) ? '2' : isParameter(segment) ? '1' : '0')).join('');
}

function matchesRoute(route: Route, segments: string[]): boolean {
  const matchesSegment = (routeSegment: string, index: number) =>
    isParameter(routeSegment) ? Boolean(segments[index]) : routeSegment === segments[index];
  const hasMatchingLength =
    route.segments.length === segments.length ||
    (isGreedy(route.segments.at(-1)) && route.segments.length < segments.length);
  return hasMatchingLength && route.segments.every(matchesSegment);
}

function parameters(route: Route, segments: string[]): Record<string, string> | undefined {
  const pairs = route.segments.flatMap((routeSegment, index) => {
    if (isGreedy(routeSegment)) return [[routeSegment.slice(1, -2), segments.slice(index).join('/')]];
    return isParameter(routeSegment) ? [[routeSegment.slice(1, -1), segments[index] ?? '']] : [];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/** Returns whether the parameter matches all remaining segments. */
function isGreedy(segment: string | undefined): boolean {
  return segment?.endsWith('+}') ?? false;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
