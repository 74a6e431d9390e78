import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { StageConfiguration } from '../stages.ts';

type Firewall = StageConfiguration['firewall'];

const orderPath = '/api/orders/initialize';

/** Matches a part of a request. */
const matches = (fieldToMatch: object, positionalConstraint: string, searchString: string) => ({
  byteMatchStatement: {
    fieldToMatch,
    positionalConstraint,
    searchString,
    textTransformations: [{ priority: 0, type: 'URL_DECODE' }],
  },
});

/** Matches requests to one path. */
const hasPath = (path: string) => matches({ uriPath: {} }, 'EXACTLY', path);

/** Matches requests that join a queue, and not those that poll it. */
const joinsQueue = {
  andStatement: {
    statements: [matches({ method: {} }, 'EXACTLY', 'POST'), matches({ uriPath: {} }, 'ENDS_WITH', '/queue')],
  },
};

/** The limits of some requests, by their name in the stage's values. */
const limits = [
  { name: 'login', limit: 'login', scopeDownStatement: hasPath('/api/auth/login') },
  { name: 'passkey-login', limit: 'login', scopeDownStatement: hasPath('/api/auth/passkeys/login') },
  {
    name: 'forgot-password',
    limit: 'forgotPassword',
    scopeDownStatement: hasPath('/api/auth/forgot-password'),
  },
  { name: 'register', limit: 'register', scopeDownStatement: hasPath('/api/auth/register') },
  { name: 'orders', limit: 'orders', scopeDownStatement: hasPath(orderPath) },
  { name: 'lists', limit: 'lists', scopeDownStatement: hasPath('/api/events') },
  { name: 'queue', limit: 'queue', scopeDownStatement: joinsQueue },
] as const;

/**
 * AWS's managed rule groups, without the common rule set: it refuses bodies over 8 KB, but the requests that create
 * events can be larger.
 */
const managedRuleGroups = ['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesKnownBadInputsRuleSet'];

/**
 * Creates the web application firewall for storefront and API. It answers requests over a limit with a 429, as the API
 * does.
 */
export function createFirewall(scope: Construct, name: string, { requests, ordering }: Firewall): CfnWebACL {
  const visibilityConfig = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    metricName: `${name}-${metricName}`,
    // Sampled requests would contain addresses and headers of buyers.
    sampledRequestsEnabled: false,
  });
  const blockAction = { block: { customResponse: { responseCode: 429, customResponseBodyKey: 'tooMany' } } };
  const rateRules = [
    ...limits.map(({ name: rule, limit, scopeDownStatement }) => ({
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
          limit: requests[limit],
          aggregateKeyType: 'IP',
          evaluationWindowSec: 300,
          scopeDownStatement,
        },
      },
    })),
    {
      name: 'overall',
      action: blockAction,
      statement: {
        rateBasedStatement: { limit: requests.overall, aggregateKeyType: 'IP', evaluationWindowSec: 300 },
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
    rules: [...rateRules, ...managedRules, ...orderingRules(ordering)].map((rule, priority) => ({
      ...rule,
      priority,
      visibilityConfig: visibilityConfig(rule.name),
    })),
  });
}

/** A browser that has passed the challenge of a page may order for four hours. */
const challengeSeconds = 4 * 3_600;

/**
 * The rules of a stage's `ordering`. A challenge replaces the response by a page with a script, so only pages can start it:
 * those are the paths without a file's extension, outside of the API. Without its token, an order gets the status 202.
 */
function orderingRules(ordering: Firewall['ordering']) {
  if (ordering === 'open') return [];
  if (ordering === 'bot-control')
    return [
      {
        name: 'bot-control',
        overrideAction: { none: {} },
        statement: {
          managedRuleGroupStatement: {
            vendorName: 'AWS',
            name: 'AWSManagedRulesBotControlRuleSet',
            managedRuleGroupConfigs: [{ awsManagedRulesBotControlRuleSet: { inspectionLevel: 'COMMON' } }],
            scopeDownStatement: hasPath(orderPath),
          },
        },
      },
    ];
  const path = { fieldToMatch: { uriPath: {} }, textTransformations: [{ priority: 0, type: 'NONE' }] };
  const startsWith = (searchString: string) => ({
    byteMatchStatement: { ...path, positionalConstraint: 'STARTS_WITH', searchString },
  });
  const isPage = {
    andStatement: {
      statements: [
        { regexMatchStatement: { ...path, regexString: '^/[^.]*$' } },
        {
          notStatement: {
            statement: { orStatement: { statements: [startsWith('/api/'), startsWith('/docs')] } },
          },
        },
      ],
    },
  };
  return [
    {
      name: 'challenge',
      action: { challenge: {} },
      challengeConfig: { immunityTimeProperty: { immunityTime: challengeSeconds } },
      statement: { orStatement: { statements: [isPage, hasPath(orderPath)] } },
    },
  ];
}
