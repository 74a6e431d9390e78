import { Duration } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Trigger } from '../functions.ts';
import { acknowledgeAuthorization } from './api.ts';

/** Lets a path of the API call the function. */
export function route(
  scope: Construct,
  api: HttpApi,
  { route }: { route: string },
  target: IFunction,
): HttpRoute {
  const [method, path] = route.split(' ');
  const created = new HttpRoute(scope, 'Route', {
    httpApi: api,
    routeKey: path ? HttpRouteKey.with(path, HttpMethod[method as HttpMethod]) : HttpRouteKey.DEFAULT,
    integration: new HttpLambdaIntegration('Integration', target),
  });
  acknowledgeAuthorization(created);
  return created;
}

/** Hands a queue's messages to the function; those it reports as failed come again, the others are done. */
export function consume(
  scope: Construct,
  queue: Queue,
  { batchSize, batchSeconds, maxConcurrency }: Extract<Trigger, { queue: string }>,
  target: IFunction,
): void {
  new EventSourceMapping(scope, 'Mapping', {
    target,
    eventSourceArn: queue.queueArn,
    batchSize,
    maxBatchingWindow: Duration.seconds(batchSeconds),
    maxConcurrency,
    reportBatchItemFailures: true,
  });
}

/** Calls the function every so many minutes. */
export function schedule(
  scope: Construct,
  { everyMinutes }: { everyMinutes: number },
  target: IFunction,
): void {
  new Rule(scope, 'Schedule', {
    schedule: Schedule.rate(Duration.minutes(everyMinutes)),
    // The next call is never far: a lost or late one is not made up for.
    targets: [new LambdaTarget(target, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
  });
}
