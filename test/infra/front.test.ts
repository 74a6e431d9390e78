import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, embedContentSecurityPolicy } from '../../infra/browser-policies.ts';
import { defaultDeployment } from '../../infra/deployment.ts';
import {
  embedMappingFunction,
  notFoundStatusFunction,
  pageMappingFunction,
  viewerAddressFunction,
} from '../../infra/front/edge-functions.ts';
import { FrontStack } from '../../infra/front/stack.ts';
import { readStage } from '../../infra/stages.ts';

const productionStage = readStage('production', path.join(import.meta.dirname, 'stack', 'production.json'));
const { front, domain } = productionStage;
if (!front || !domain) throw new Error('The fixture has no CloudFront distribution');
const stage = { ...productionStage, front, domain };

const app = new App();
const stack = new FrontStack(app, { stage });
const template = Template.fromStack(stack);
// biome-ignore lint/suspicious/noExplicitAny: the properties depend on the resource's type
const propertiesOf = (type: string): any => Object.values(template.findResources(type))[0]?.Properties;
const distribution = propertiesOf('AWS::CloudFront::Distribution').DistributionConfig;
const behaviorOf = (pattern: string) =>
  distribution.CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === pattern);

const policyOf = (pattern: string) => {
  const policies = template.findResources('AWS::CloudFront::CachePolicy');
  return policies[behaviorOf(pattern).CachePolicyId.Ref]?.Properties.CachePolicyConfig;
};

/** Where the pages may upload pictures. */
const bucket = 'https://boxoffice-production-pictures-<account>.s3.eu-west-1.amazonaws.com';

describe('the CloudFront distribution', () => {
  it('serves its domain with TLS 1.2 or later, behind the firewall', () => {
    expect(distribution).toMatchObject({
      Aliases: ['tickets.boxoffice.test'],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021', AcmCertificateArn: front.certificateArn },
      WebACLId: { 'Fn::GetAtt': [expect.stringMatching(/^Firewall/), 'Arn'] },
    });
    expect(stack.region).toBe('us-east-1');
    expect(stack.terminationProtection).toBe(true);
  });

  it('has no termination protection in a first deployment, so that a failed one can be repeated', () => {
    const deployment = { ...defaultDeployment, isFirst: true };
    expect(new FrontStack(new App(), { stage, deployment }).terminationProtection).toBe(false);
  });

  it('forwards /api to the API with a secret that is not in the template', () => {
    const origin = distribution.Origins.find(
      ({ DomainName }: { DomainName: unknown }) => DomainName === 'api.boxoffice.test',
    );
    expect(origin.OriginCustomHeaders).toEqual([
      {
        HeaderName: 'x-origin-secret',
        HeaderValue: '{{resolve:secretsmanager:boxoffice/production/ORIGIN_SECRET:SecretString:::}}',
      },
    ]);
    expect(origin.CustomOriginConfig.OriginProtocolPolicy).toBe('https-only');
    expect(behaviorOf('/api/*').TargetOriginId).toBe(origin.Id);
  });

  it('names the version of the secret after a rotation, since CloudFormation reads only a changed reference again', () => {
    const originSecretVersion = '5f3c9a10-2b4d-4e6f-8a9b-0c1d2e3f4a5b';
    const rotated = Template.fromStack(
      new FrontStack(new App(), { stage: { ...stage, originSecretVersion } }),
    );
    expect(JSON.stringify(rotated.toJSON())).toContain(
      `boxoffice/production/ORIGIN_SECRET:SecretString:::${originSecretVersion}}}`,
    );
  });

  it('caches event responses only as the API allows, for at most two seconds, by query and access token', () => {
    const policy = policyOf('/api/events/*');
    expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 2 });
    expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
      QueryStringsConfig: { QueryStringBehavior: 'all' },
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Authorization', 'Origin'] },
      CookiesConfig: { CookieBehavior: 'none' },
    });
    const { CachePolicyId } = behaviorOf('/api/events/*');
    expect(behaviorOf('/api/events').CachePolicyId).toEqual(CachePolicyId);
    // The id of AWS's managed policy CachingDisabled.
    expect(behaviorOf('/api/*').CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
    for (const { ErrorCachingMinTTL } of distribution.CustomErrorResponses)
      expect(ErrorCachingMinTTL).toBe(0);
  });

  it('caches a queue as long as the API allows, for all callers together', () => {
    const policy = policyOf('/api/events/*/queue*');
    expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0 });
    expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
      QueryStringsConfig: { QueryStringBehavior: 'whitelist', QueryStrings: ['page'] },
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Origin'] },
      CookiesConfig: { CookieBehavior: 'none' },
    });
    const paths = distribution.CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern);
    expect(paths.indexOf('/api/events/*/queue*')).toBeLessThan(paths.indexOf('/api/events/*'));
  });

  it('tells the API the place of a login, and caches no response of it', () => {
    const policy = policyOf('/api/auth/*');
    expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0 });
    expect(policy.ParametersInCacheKeyAndForwardedToOrigin.HeadersConfig).toEqual({
      HeaderBehavior: 'whitelist',
      Headers: ['Authorization', 'Origin', 'CloudFront-Viewer-Country', 'CloudFront-Viewer-City'],
    });
  });

  it('caches NFT metadata for at most a minute, independent of access token and query', () => {
    const policy = policyOf('/api/tokens/*');
    expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 60 });
    expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
      QueryStringsConfig: { QueryStringBehavior: 'none' },
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Origin'] },
    });
  });

  it('allows only CloudFront to read the bucket', () => {
    const policies = JSON.stringify(template.findResources('AWS::S3::BucketPolicy'));
    expect(policies).toContain('cloudfront.amazonaws.com');
    expect(propertiesOf('AWS::S3::Bucket').PublicAccessBlockConfiguration).toMatchObject({
      BlockPublicPolicy: true,
    });
  });

  it('serves event pages from the API, caches them for at most two seconds, and forwards no header, cookie or query', () => {
    const page = behaviorOf('/events/*');
    expect(page.TargetOriginId).toBe(behaviorOf('/api/*').TargetOriginId);
    expect(page.OriginRequestPolicyId).toBeUndefined();
    expect(page).toMatchObject({ ViewerProtocolPolicy: 'redirect-to-https' });
    const policy = policyOf('/events/*');
    expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 2 });
    expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
      QueryStringsConfig: { QueryStringBehavior: 'none' },
      HeadersConfig: { HeaderBehavior: 'none' },
      CookiesConfig: { CookieBehavior: 'none' },
    });
  });

  it('sends the same security headers with pages from the bucket and from the API', () => {
    const { ResponseHeadersPolicyId } = distribution.DefaultCacheBehavior;
    expect(behaviorOf('/events/*').ResponseHeadersPolicyId).toEqual(ResponseHeadersPolicyId);
    const { SecurityHeadersConfig } = propertiesOf(
      'AWS::CloudFront::ResponseHeadersPolicy',
    ).ResponseHeadersPolicyConfig;
    const [before, after] = contentSecurityPolicy(bucket).split('<account>');
    expect(SecurityHeadersConfig.ContentSecurityPolicy).toEqual({
      ContentSecurityPolicy: {
        'Fn::Join': ['', [before, { Ref: 'AWS::AccountId' }, after]],
      },
      Override: true,
    });
  });

  it('lets other sites frame the embedded page and only it', () => {
    const policies = template.findResources('AWS::CloudFront::ResponseHeadersPolicy');
    const headersOf = (behavior: { ResponseHeadersPolicyId: { Ref: string } }) =>
      policies[behavior.ResponseHeadersPolicyId.Ref]?.Properties.ResponseHeadersPolicyConfig
        .SecurityHeadersConfig;
    expect(headersOf(distribution.DefaultCacheBehavior)).toMatchObject({
      FrameOptions: { FrameOption: 'DENY' },
    });
    const embedded = headersOf(behaviorOf('/embed/*'));
    expect(embedded.FrameOptions).toBeUndefined();
    expect(embedded.ContentSecurityPolicy.ContentSecurityPolicy).toBe(embedContentSecurityPolicy);
    expect(embedContentSecurityPolicy.replace('frame-ancestors *', "frame-ancestors 'none'")).toBe(
      contentSecurityPolicy(bucket).replace(` ${bucket}`, ''),
    );
    expect(contentSecurityPolicy(bucket)).toContain("frame-ancestors 'none'");
    const others = distribution.CacheBehaviors.filter(
      ({ PathPattern }: { PathPattern: string }) => PathPattern !== '/embed/*',
    );
    for (const { ResponseHeadersPolicyId } of others) {
      expect(ResponseHeadersPolicyId).not.toEqual(behaviorOf('/embed/*').ResponseHeadersPolicyId);
    }
  });

  it('keeps the storefront’s files in production; elsewhere they don’t block the deletion of the stack', () => {
    const findBucket = (found: Template) => Object.values(found.findResources('AWS::S3::Bucket'))[0];
    expect(findBucket(template)).toMatchObject({ DeletionPolicy: 'Retain' });
    const stagingApp = new App();
    const staging = Template.fromStack(
      new FrontStack(stagingApp, { stage: { ...stage, name: 'staging', keepData: false } }),
    );
    expect(findBucket(staging)).toMatchObject({ DeletionPolicy: 'Delete' });
    expect(Object.keys(staging.findResources('Custom::S3AutoDeleteObjects'))).toHaveLength(1);
    expect(new AwsSolutionsChecks(stagingApp).validateScope(stagingApp).violations).toEqual([]);
  });

  it('has no cdk-nag findings, except those suppressed with a reason', () => {
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });
});

describe('the firewall', () => {
  const { Rules, CustomResponseBodies, Scope } = propertiesOf('AWS::WAFv2::WebACL');

  it('limits logins, forgotten passwords, registrations, orders and lists of events per IP address', () => {
    expect(Scope).toBe('CLOUDFRONT');
    const limits = Rules.flatMap(
      // biome-ignore lint/suspicious/noExplicitAny: a rule's type depends on its statement
      ({ Statement: { RateBasedStatement: rate } }: any) =>
        rate?.ScopeDownStatement?.ByteMatchStatement
          ? [[rate.ScopeDownStatement.ByteMatchStatement.SearchString, rate.Limit]]
          : [],
    );
    expect(Object.fromEntries(limits)).toEqual({
      '/api/auth/login': 1_000,
      '/api/auth/passkeys/login': 1_000,
      '/api/auth/forgot-password': 200,
      '/api/auth/register': 500,
      '/api/orders/initialize': 2_000,
      '/api/events': 1_500,
    });
  });

  it('limits joining queues per IP address, and not polling them', () => {
    const { Statement } = Rules.find(({ Name }: { Name: string }) => Name === 'queue');
    expect(Statement.RateBasedStatement.Limit).toBe(2_000);
    expect(Statement.RateBasedStatement.ScopeDownStatement.AndStatement.Statements).toMatchObject([
      { ByteMatchStatement: { FieldToMatch: { Method: {} }, SearchString: 'POST' } },
      { ByteMatchStatement: { PositionalConstraint: 'ENDS_WITH', SearchString: '/queue' } },
    ]);
  });

  // biome-ignore lint/suspicious/noExplicitAny: a rule's type depends on its statement
  const rulesOf = (ordering: 'open' | 'challenge' | 'bot-control'): any[] => {
    const firewall = { requests: { ...stage.firewall.requests, orders: 5_000 }, ordering };
    const found = Template.fromStack(new FrontStack(new App(), { stage: { ...stage, firewall } }));
    return Object.values(found.findResources('AWS::WAFv2::WebACL'))[0]?.Properties.Rules;
  };

  it('has the limits of the stage, and on request a challenge for ordering or AWS’s rules against bots', () => {
    const limitOf = (rules: ReturnType<typeof rulesOf>, name: string) =>
      rules.find(({ Name }) => Name === name).Statement.RateBasedStatement.Limit;
    const [open, challenged, controlled] = [rulesOf('open'), rulesOf('challenge'), rulesOf('bot-control')];
    expect([limitOf(open, 'orders'), limitOf(open, 'overall')]).toEqual([5_000, 20_000]);
    const added = (rules: typeof open) => rules.slice(open.length);
    expect(added(challenged)).toMatchObject([
      {
        Action: { Challenge: {} },
        ChallengeConfig: { ImmunityTimeProperty: { ImmunityTime: 14_400 } },
        Statement: {
          OrStatement: {
            Statements: [
              expect.anything(),
              { ByteMatchStatement: { SearchString: '/api/orders/initialize' } },
            ],
          },
        },
      },
    ]);
    expect(added(controlled)).toMatchObject([
      {
        OverrideAction: { None: {} },
        Statement: {
          ManagedRuleGroupStatement: {
            Name: 'AWSManagedRulesBotControlRuleSet',
            ScopeDownStatement: { ByteMatchStatement: { SearchString: '/api/orders/initialize' } },
          },
        },
      },
    ]);
  });

  it('responds like the API, with status 429, an error, its code and `retry-after`', () => {
    expect(Object.keys(JSON.parse(CustomResponseBodies.tooMany.Content))).toEqual(['error']);
    const { Block } = Rules[0].Action;
    expect(Block.CustomResponse.ResponseCode).toBe(429);
    expect(Block.CustomResponse.ResponseHeaders.map(({ Name }: { Name: string }) => Name)).toEqual([
      'x-error-code',
      'retry-after',
    ]);
  });

  it('stores no sampled requests, which contain buyers’ data', () => {
    for (const { VisibilityConfig } of Rules) expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
  });
});

describe('the CloudFront functions', () => {
  const runFunction = (code: string, event: object) =>
    runInNewContext(`${code}; JSON.stringify(handler(${JSON.stringify(event)}))`);

  it('overwrite the viewer address that a client sends', () => {
    const request = { uri: '/api/health', headers: { 'x-viewer-address': { value: '192.0.2.1' } } };
    const forwarded = JSON.parse(
      runFunction(viewerAddressFunction, { viewer: { ip: '203.0.113.9' }, request }),
    );
    expect(forwarded.headers['x-viewer-address']).toEqual({ value: '203.0.113.9' });
  });

  it('map every path below /embed to the embedded page', () => {
    const request = { uri: '/embed/c123', headers: {} };
    expect(JSON.parse(runFunction(embedMappingFunction, { request })).uri).toBe('/embed.html');
  });

  const pages = ['/', '/events/:id', '/organizer/events/new'];

  it.each([
    ['/', '/index.html', 200],
    ['/events/c123', '/index.html', 200],
    ['/events/c123/', '/index.html', 200],
    ['/organizer/events/new', '/index.html', 200],
    ['/style/base.css', '/style/base.css', 200],
    ['/config.json', '/config.json', 200],
    ['/events/c123/more', '/404.html', 404],
    ['/nothing', '/404.html', 404],
  ])('map %s to the file %s with the status %i', (uri, file, status) => {
    expect(JSON.parse(runFunction(pageMappingFunction(pages), { request: { uri, headers: {} } })).uri).toBe(
      file,
    );
    for (const requested of [uri, file]) {
      const response = runFunction(notFoundStatusFunction(pages), {
        request: { uri: requested },
        response: { statusCode: 200 },
      });
      expect(JSON.parse(response).statusCode).toBe(status);
    }
  });

  it('stay within the size limit of CloudFront, 10 KiB, with 50 pages', () => {
    const fiftyPages = Array.from({ length: 50 }, (_, index) => `/page-${index}/:id`);
    expect(pageMappingFunction(fiftyPages).length).toBeLessThan(10_240);
    expect(notFoundStatusFunction(fiftyPages).length).toBeLessThan(10_240);
  });
});
