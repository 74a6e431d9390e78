import { Duration } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Deployment } from '../deployment.ts';
import type { Trigger } from '../functions.ts';
import { acknowledgeAuthorization } from './api.ts';

/** Connects a route of the API to the function. */
export function addRoute(
  scope: Construct,
  api: HttpApi,
  { route }: { route: string },
  target: IFunction,
): void {
  const [method, path] = route.split(' ');
  const httpRoute = new HttpRoute(scope, 'Route', {
    httpApi: api,
    routeKey: path ? HttpRouteKey.with(path, HttpMethod[method as HttpMethod]) : HttpRouteKey.DEFAULT,
    integration: new HttpLambdaIntegration('Integration', target),
  });
  acknowledgeAuthorization(httpRoute);
}

/** Invokes the function with a queue's messages. SQS redelivers the messages that the function reports as failed. */
export function addQueueTrigger(
  scope: Construct,
  queue: Queue,
  { batchSize, batchSeconds, maxConcurrency }: Omit<Extract<Trigger, { queue: string }>, 'queue'>,
  target: IFunction,
  { isPaused: paused }: Deployment,
): void {
  new EventSourceMapping(scope, 'Mapping', {
    target,
    eventSourceArn: queue.queueArn,
    batchSize,
    maxBatchingWindow: Duration.seconds(batchSeconds),
    maxConcurrency,
    reportBatchItemFailures: true,
    enabled: !paused,
  });
}

const withoutRetries = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };

/**
 * Invokes the function at a fixed rate. A failed call is not retried, since the next scheduled call follows soon;
 * its event and its error go to the queue of failures.
 */
export function addSchedule(
  scope: Construct,
  { everyMinutes }: { everyMinutes: number },
  target: IFunction,
  failures: IQueue,
  { isPaused: paused }: Deployment,
): void {
  new Rule(scope, 'Schedule', {
    schedule: Schedule.rate(Duration.minutes(everyMinutes)),
    enabled: !paused,
    targets: [new LambdaTarget(target, withoutRetries)],
  });
  // The rule's target limits EventBridge's retries of the delivery. This call limits Lambda's own retries of a failed
  // invocation, two by default.
  target.configureAsyncInvoke({ ...withoutRetries, onFailure: new SqsDestination(failures) });
}
