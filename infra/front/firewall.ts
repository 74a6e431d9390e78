import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

/** Requests that one address may send in five minutes, by path. People behind one address share the limit. */
const limits = [
  { name: 'login', path: '/api/auth/login', requests: 100 },
  { name: 'forgot-password', path: '/api/auth/forgot-password', requests: 50 },
  { name: 'register', path: '/api/auth/register', requests: 50 },
  { name: 'orders', path: '/api/orders/initialize', requests: 200 },
] as const;

/** Requests of one address to all paths together in five minutes. A page loads a dozen files. */
const overallRequests = 3_000;

/**
 * AWS's managed rule groups. The common rule set is not included, since it refuses bodies over 8 KB, which events may
 * have.
 */
const managedRules = ['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesKnownBadInputsRuleSet'];

/** Creates the web application firewall in front of storefront and API. It responds with a 429, as the API does. */
export function createFirewall(scope: Construct, name: string): CfnWebACL {
  const visibilityConfig = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    metricName: `${name}-${metricName}`,
    // Sampled requests would contain addresses and headers of buyers.
    sampledRequestsEnabled: false,
  });
  const blockAction = { block: { customResponse: { responseCode: 429, customResponseBodyKey: 'tooMany' } } };
  const rateRules = [
    ...limits.map(({ name: rule, path, requests }) => ({
      name: rule,
      action: {
        block: {
          customResponse: {
            ...blockAction.block.customResponse,
            responseHeaders: [
              { name: 'x-error-code', value: 'too-many-attempts' },
              { name: 'retry-after', value: '300' },
            ],
          },
        },
      },
      statement: {
        rateBasedStatement: {
          limit: requests,
          aggregateKeyType: 'IP',
          evaluationWindowSec: 300,
          scopeDownStatement: {
            byteMatchStatement: {
              fieldToMatch: { uriPath: {} },
              positionalConstraint: 'EXACTLY',
              searchString: path,
              textTransformations: [{ priority: 0, type: 'URL_DECODE' }],
            },
          },
        },
      },
    })),
    {
      name: 'overall',
      action: blockAction,
      statement: {
        rateBasedStatement: { limit: overallRequests, aggregateKeyType: 'IP', evaluationWindowSec: 300 },
      },
    },
  ];
  const managed = managedRules.map((rule) => ({
    name: rule,
    overrideAction: { none: {} },
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name: rule } },
  }));
  return new CfnWebACL(scope, 'Firewall', {
    name,
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visibilityConfig('firewall'),
    customResponseBodies: {
      tooMany: {
        contentType: 'APPLICATION_JSON',
        content: JSON.stringify({ error: 'Too many requests, please try again later' }),
      },
    },
    rules: [...rateRules, ...managed].map((rule, priority) => ({
      ...rule,
      priority,
      visibilityConfig: visibilityConfig(rule.name),
    })),
  });
}
