import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

/** Requests that an IP address may send in five minutes, by path. People behind one address share the limit. */
const pathLimits = [
  { name: 'login', path: '/api/auth/login', requests: 100 },
  { name: 'forgot-password', path: '/api/auth/forgot-password', requests: 50 },
  { name: 'register', path: '/api/auth/register', requests: 50 },
  { name: 'orders', path: '/api/orders/initialize', requests: 200 },
] as const;

/** Requests that an IP address may send in five minutes to all paths. A page loads a dozen files. */
const overallRequests = 3_000;

/**
 * AWS's managed rule groups, without the common rule set: it refuses bodies over 8 KB, but the requests that create
 * events can be larger.
 */
const managedRuleGroups = ['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesKnownBadInputsRuleSet'];

/**
 * Creates the web application firewall for storefront and API. It answers requests over a limit with a 429, as the API
 * does.
 */
export function createFirewall(scope: Construct, name: string): CfnWebACL {
  const visibilityConfig = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    metricName: `${name}-${metricName}`,
    // Sampled requests would contain addresses and headers of buyers.
    sampledRequestsEnabled: false,
  });
  const blockAction = { block: { customResponse: { responseCode: 429, customResponseBodyKey: 'tooMany' } } };
  const rateRules = [
    ...pathLimits.map(({ name: rule, path, requests }) => ({
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
  const managedRules = managedRuleGroups.map((name) => ({
    name,
    overrideAction: { none: {} },
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
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
    rules: [...rateRules, ...managedRules].map((rule, priority) => ({
      ...rule,
      priority,
      visibilityConfig: visibilityConfig(rule.name),
    })),
  });
}
