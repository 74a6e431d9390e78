import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../infra/content-security-policy.ts';
import { ordinaryDeployment } from '../../infra/deployment.ts';
import {
  notFoundStatusFunction,
  pageMappingFunction,
  viewerAddressFunction,
} from '../../infra/front/edge-functions.ts';
import { FrontStack } from '../../infra/front/stack.ts';
import { readStage } from '../../infra/stages.ts';

const configured = readStage('production', path.join(import.meta.dirname, 'stack', 'production.json'));
const { front, domain } = configured;
if (!front || !domain) throw new Error('The fixture has no front');
const stage = { ...configured, front, domain };

const app = new App();
const stack = new FrontStack(app, { stage });
const template = Template.fromStack(stack);
// biome-ignore lint/suspicious/noExplicitAny: a template is anything that CloudFormation allows
const only = (type: string): any => Object.values(template.findResources(type))[0]?.Properties;
const distribution = only('AWS::CloudFront::Distribution').DistributionConfig;
const behaviorOf = (pattern: string) =>
  distribution.CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === pattern);

const policyOf = (pattern: string) => {
  const policies = template.findResources('AWS::CloudFront::CachePolicy');
  return policies[behaviorOf(pattern).CachePolicyId.Ref]?.Properties.CachePolicyConfig;
};

describe('the front', () => {
  it('answers at its own name, over TLS 1.2 at least, behind the firewall', () => {
    expect(distribution).toMatchObject({
      Aliases: ['tickets.boxoffice.test'],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021', AcmCertificateArn: front.certificateArn },
      WebACLId: { 'Fn::GetAtt': [expect.stringMatching(/^Firewall/), 'Arn'] },
    });
    expect(stack.region).toBe('us-east-1');
    expect(stack.terminationProtection).toBe(true);
  });

  it('is not protected the first time, so that a failed creation can be repeated', () => {
    const deployment = { ...ordinaryDeployment, isFirst: true };
    expect(new FrontStack(new App(), { stage, deployment }).terminationProtection).toBe(false);
  });

  it('hands /api to the API with the secret that is nowhere in the template', () => {
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

  it('keeps only what the API lets it keep, for two seconds at most; the key has the query and the token', () => {
    const policy = policyOf('/api/events/*');
    expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 2 });
    expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
      QueryStringsConfig: { QueryStringBehavior: 'all' },
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Authorization', 'Origin'] },
      CookiesConfig: { CookieBehavior: 'none' },
    });
    const { CachePolicyId } = behaviorOf('/api/events/*');
    expect(behaviorOf('/api/events').CachePolicyId).toEqual(CachePolicyId);
    // AWS's own policy that keeps nothing.
    expect(behaviorOf('/api/*').CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
    for (const { ErrorCachingMinTTL } of distribution.CustomErrorResponses)
      expect(ErrorCachingMinTTL).toBe(0);
  });

  it('keeps the metadata of tokens for a minute at most, without regard to tokens and queries', () => {
    const policy = policyOf('/api/tokens/*');
    expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 60 });
    expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
      QueryStringsConfig: { QueryStringBehavior: 'none' },
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Origin'] },
    });
  });

  it('lets only CloudFront read the bucket', () => {
    const policies = JSON.stringify(template.findResources('AWS::S3::BucketPolicy'));
    expect(policies).toContain('cloudfront.amazonaws.com');
    expect(only('AWS::S3::Bucket').PublicAccessBlockConfiguration).toMatchObject({ BlockPublicPolicy: true });
  });

  it('takes the page of an event from the API, for two seconds at most, and nothing of the request is passed on', () => {
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

  it('sends the same security headers with every page, wherever it comes from', () => {
    const { ResponseHeadersPolicyId } = distribution.DefaultCacheBehavior;
    expect(behaviorOf('/events/*').ResponseHeadersPolicyId).toEqual(ResponseHeadersPolicyId);
    const { SecurityHeadersConfig } = only(
      'AWS::CloudFront::ResponseHeadersPolicy',
    ).ResponseHeadersPolicyConfig;
    expect(SecurityHeadersConfig.ContentSecurityPolicy).toEqual({
      ContentSecurityPolicy: contentSecurityPolicy,
      Override: true,
    });
  });

  it('has no finding of cdk-nag without a reason', () => {
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });
});

describe('the firewall', () => {
  const { Rules, CustomResponseBodies, Scope } = only('AWS::WAFv2::WebACL');

  it('limits what one address may ask of logins, forgotten passwords, registrations and orders', () => {
    expect(Scope).toBe('CLOUDFRONT');
    const limited = Rules.flatMap(
      // biome-ignore lint/suspicious/noExplicitAny: a rule as CloudFormation has it
      ({ Statement: { RateBasedStatement: rate } }: any) =>
        rate?.ScopeDownStatement
          ? [[rate.ScopeDownStatement.ByteMatchStatement.SearchString, rate.Limit]]
          : [],
    );
    expect(Object.fromEntries(limited)).toEqual({
      '/api/auth/login': 100,
      '/api/auth/forgot-password': 50,
      '/api/auth/register': 50,
      '/api/orders/initialize': 200,
    });
  });

  it('refuses as the API does: 429 with an error, a code and when to try again', () => {
    expect(Object.keys(JSON.parse(CustomResponseBodies.tooMany.Content))).toEqual(['error']);
    const { Block } = Rules[0].Action;
    expect(Block.CustomResponse.ResponseCode).toBe(429);
    expect(Block.CustomResponse.ResponseHeaders.map(({ Name }: { Name: string }) => Name)).toEqual([
      'x-error-code',
      'retry-after',
    ]);
  });

  it('keeps no samples of requests, which would show buyers', () => {
    for (const { VisibilityConfig } of Rules) expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
  });
});

describe('at the edge', () => {
  const run = (code: string, event: object) =>
    runInNewContext(`${code}; JSON.stringify(handler(${JSON.stringify(event)}))`);

  it('the viewer is named, regardless of its own headers', () => {
    const request = { uri: '/api/health', headers: { 'x-viewer-address': { value: '192.0.2.1' } } };
    const seen = JSON.parse(run(viewerAddressFunction, { viewer: { ip: '203.0.113.9' }, request }));
    expect(seen.headers['x-viewer-address']).toEqual({ value: '203.0.113.9' });
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
  ])('%s is the file %s with the status %i', (uri, file, status) => {
    expect(JSON.parse(run(pageMappingFunction(pages), { request: { uri, headers: {} } })).uri).toBe(file);
    for (const seen of [uri, file]) {
      const answered = run(notFoundStatusFunction(pages), {
        request: { uri: seen },
        response: { statusCode: 200 },
      });
      expect(JSON.parse(answered).statusCode).toBe(status);
    }
  });

  it('the code fits into a CloudFront function', () => {
    const many = Array.from({ length: 50 }, (_, index) => `/page-${index}/:id`);
    expect(pageMappingFunction(many).length).toBeLessThan(10_240);
    expect(notFoundStatusFunction(many).length).toBeLessThan(10_240);
  });
});
