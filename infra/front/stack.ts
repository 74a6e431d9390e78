import { CfnOutput, Duration, RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  type IOrigin,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { contentSecurityPolicy } from '../content-security-policy.ts';
import { type Deployment, defaultDeployment, stageFor } from '../deployment.ts';
import { frontRegion, secretName, stackName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';
import { paths } from '../storefront/src/paths.ts';
import { notFoundStatusFunction, pageMappingFunction, viewerAddressFunction } from './edge-functions.ts';
import { createFirewall } from './firewall.ts';

export interface FrontStackProps {
  stage: StageConfiguration & Required<Pick<StageConfiguration, 'front' | 'domain'>>;
  deployment?: Deployment;
}

/**
 * The front of a stage: CloudFront with a firewall, which serves the storefront as a static site and the API below
 * /api. Payment providers use the API at its own address. The site's files are copied into the bucket by
 * .ci/publish-storefront.
 */
export class FrontStack extends Stack {
  constructor(scope: Construct, { stage, deployment = defaultDeployment }: FrontStackProps) {
    super(scope, `${stackName(stage.name)}-front`, {
      description: `boxoffice, ${stage.name}: CloudFront, firewall and storefront`,
      terminationProtection: stageFor(deployment, stage).keepData,
      tags: { 'boxoffice-stage': stage.name },
      env: { region: frontRegion },
    });
    const bucket = this.#bucket();
    const api = this.#apiOrigin(stage);
    const headers = this.#siteHeaders();
    const firewall = createFirewall(this, `${stackName(stage.name)}-front`);
    const distribution = new Distribution(this, 'Distribution', {
      comment: stackName(stage.name),
      domainNames: [stage.front.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', stage.front.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      webAclId: firewall.attrArn,
      priceClass: PriceClass.PRICE_CLASS_ALL,
      defaultBehavior: this.#site(bucket, headers),
      additionalBehaviors: { ...this.#api(api), '/events/*': this.#eventPage(api, headers) },
      // By default CloudFront caches errors for ten seconds, for example the 404 of an event that is published in the
      // meantime.
      errorResponses: [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map((httpStatus) => ({
        httpStatus,
        ttl: Duration.seconds(0),
      })),
    });
    acknowledge(distribution, [
      [
        'AwsSolutions-CFR1',
        'Buyers come from every country; an organizer decides where an event takes place',
      ],
      [
        'AwsSolutions-CFR3',
        'The log would hold the addresses of buyers; firewall metrics and the API log cover it',
      ],
    ]);
    new CfnOutput(this, 'DnsTarget', { value: distribution.distributionDomainName });
    new CfnOutput(this, 'StorefrontBucket', { value: bucket.bucketName });
    new CfnOutput(this, 'DistributionId', { value: distribution.distributionId });
    new CfnOutput(this, 'FrontUrl', { value: `https://${stage.front.name}` });
  }

  #bucket(): Bucket {
    const bucket = new Bucket(this, 'Storefront', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // The build can recreate all files.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(bucket, [
      ['AwsSolutions-S1', 'CloudFront alone reads the bucket, and what lies in it is public'],
    ]);
    return bucket;
  }

  /**
   * CloudFront sends the secret with every request, so that the API can trust the viewer's address in the same request.
   */
  #apiOrigin({ name, domain }: FrontStackProps['stage']): IOrigin {
    return new HttpOrigin(domain.name, {
      customHeaders: {
        'x-origin-secret': SecretValue.secretsManager(secretName(name, 'ORIGIN_SECRET')).unsafeUnwrap(),
      },
      readTimeout: Duration.seconds(30),
    });
  }

  #siteHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'SiteHeaders', {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
      },
    });
  }

  #site(bucket: Bucket, responseHeadersPolicy: ResponseHeadersPolicy): BehaviorOptions {
    const pages = Object.values(paths);
    return {
      origin: S3BucketOrigin.withOriginAccessControl(bucket),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      functionAssociations: [
        this.#edgeFunction('FindPage', pageMappingFunction(pages), FunctionEventType.VIEWER_REQUEST),
        this.#edgeFunction('ReportMissing', notFoundStatusFunction(pages), FunctionEventType.VIEWER_RESPONSE),
      ],
      responseHeadersPolicy,
    };
  }

  /**
   * The page of an event comes from the API, with the tags for previews. It is the same for everybody, so that neither
   * queries nor headers are passed on or part of the cache key.
   */
  #eventPage(origin: IOrigin, responseHeadersPolicy: ResponseHeadersPolicy): BehaviorOptions {
    const cachePolicy = new CachePolicy(this, 'EventPages', {
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(2),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
    return {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy,
      responseHeadersPolicy,
    };
  }

  #api(origin: IOrigin): Record<string, BehaviorOptions> {
    const behavior = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      // All headers except Host, by which API Gateway selects the API.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: [
        this.#edgeFunction('NameViewer', viewerAddressFunction, FunctionEventType.VIEWER_REQUEST),
      ],
    };
    // Follows the caching headers of the API: two seconds for public events, no caching for requests with a token.
    const publicReads = new CachePolicy(this, 'PublicReads', {
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(2),
      // The cache key includes the whole query, since access codes, filters and cursors change the response.
      queryStringBehavior: CacheQueryStringBehavior.all(),
      headerBehavior: CacheHeaderBehavior.allowList('Authorization', 'Origin'),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
    // Token metadata is public, and marketplaces poll it.
    const metadataReads = new CachePolicy(this, 'MetadataReads', {
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.minutes(1),
      headerBehavior: CacheHeaderBehavior.allowList('Origin'),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
    const anyMethod = { allowedMethods: AllowedMethods.ALLOW_ALL };
    const cached = { ...behavior, ...anyMethod, cachePolicy: publicReads };
    const passed = { ...behavior, ...anyMethod, cachePolicy: CachePolicy.CACHING_DISABLED };
    const metadata = { ...behavior, ...anyMethod, cachePolicy: metadataReads };
    return {
      '/api/events': cached,
      '/api/events/*': cached,
      '/api/tokens/*': metadata,
      '/api/*': passed,
      '/docs*': passed,
    };
  }

  #edgeFunction(id: string, code: string, eventType: FunctionEventType) {
    const edge = new EdgeFunction(this, id, {
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
    });
    return { function: edge, eventType };
  }
}

function acknowledge(scope: Construct, findings: [id: string, reason: string][]): void {
  for (const [id, reason] of findings) Validations.of(scope).acknowledge({ id, reason });
}
