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
  type ResponseSecurityHeadersBehavior,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { contentSecurityPolicy, embedContentSecurityPolicy } from '../browser-policies.ts';
import { applyDeployment, type Deployment, defaultDeployment } from '../deployment.ts';
import { bucketName, bucketOrigin, frontRegion, secretName, stackName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';
import { paths } from '../storefront/src/paths.ts';
import {
  embedMappingFunction,
  notFoundStatusFunction,
  pageMappingFunction,
  viewerAddressFunction,
} from './edge-functions.ts';
import { createFirewall } from './firewall.ts';

export interface FrontStackProps {
  stage: StageConfiguration & Required<Pick<StageConfiguration, 'front' | 'domain'>>;
  deployment?: Deployment;
}

/**
 * The front of a stage: CloudFront with a firewall, which serves the storefront as a static site and the API below
 * /api. Payment providers call the API at its own address. .ci/publish-storefront copies the site's files to the
 * bucket.
 */
export class FrontStack extends Stack {
  constructor(scope: Construct, { stage, deployment = defaultDeployment }: FrontStackProps) {
    super(scope, `${stackName(stage.name)}-front`, {
      description: `boxoffice, ${stage.name}: CloudFront, firewall and storefront`,
      terminationProtection: applyDeployment(deployment, stage).keepData,
      tags: { 'boxoffice-stage': stage.name },
      env: { region: frontRegion },
    });
    const bucket = this.#createBucket(applyDeployment(deployment, stage).keepData);
    const api = this.#createApiOrigin(stage);
    const site = S3BucketOrigin.withOriginAccessControl(bucket);
    // A stage with a front has a region.
    const pictures = bucketOrigin(bucketName(stage.name, this.account), stage.region ?? frontRegion);
    const headers = this.#createHeaders('SiteHeaders', contentSecurityPolicy(pictures), {
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
    });
    const firewall = createFirewall(this, `${stackName(stage.name)}-front`, stage.firewall);
    const distribution = new Distribution(this, 'Distribution', {
      comment: stackName(stage.name),
      domainNames: [stage.front.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', stage.front.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      webAclId: firewall.attrArn,
      priceClass: PriceClass.PRICE_CLASS_ALL,
      defaultBehavior: this.#siteBehavior(site, headers),
      additionalBehaviors: {
        ...this.#apiBehaviors(api),
        '/events/*': this.#eventPageBehavior(api, headers),
        '/embed/*': this.#embedBehavior(site),
      },
      // By default CloudFront caches errors for ten seconds, such as the 404 of an event that has been published since.
      errorResponses: [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map((httpStatus) => ({
        httpStatus,
        ttl: Duration.seconds(0),
      })),
    });
    acknowledge(distribution, [
      ['AwsSolutions-CFR1', 'Geo restriction is not wanted: buyers come from every country'],
      [
        'AwsSolutions-CFR3',
        'Access logs would contain the addresses of buyers; firewall metrics and the API log are sufficient',
      ],
    ]);
    new CfnOutput(this, 'DnsTarget', { value: distribution.distributionDomainName });
    new CfnOutput(this, 'StorefrontBucket', { value: bucket.bucketName });
    new CfnOutput(this, 'DistributionId', { value: distribution.distributionId });
    new CfnOutput(this, 'FrontUrl', { value: `https://${stage.front.name}` });
  }

  /** @param keepData otherwise the bucket is emptied and deleted with the stack; a bucket with files can't be deleted */
  #createBucket(keepData: boolean): Bucket {
    const bucket = new Bucket(this, 'Storefront', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      autoDeleteObjects: !keepData,
    });
    acknowledge(bucket, [['AwsSolutions-S1', 'Only CloudFront reads the bucket, and its files are public']]);
    return bucket;
  }

  /**
   * CloudFront adds the secret to every request, so that the API can trust the request's header with the viewer's
   * address. CloudFormation reads the secret again only when the reference changes, so a rotation names the version.
   */
  #createApiOrigin({ name, domain, originSecretVersion }: FrontStackProps['stage']): IOrigin {
    return new HttpOrigin(domain.name, {
      customHeaders: {
        'x-origin-secret': SecretValue.secretsManager(secretName(name, 'ORIGIN_SECRET'), {
          versionId: originSecretVersion,
        }).unsafeUnwrap(),
      },
      readTimeout: Duration.seconds(30),
    });
  }

  #createHeaders(
    id: string,
    contentSecurityPolicy: string,
    others: ResponseSecurityHeadersBehavior = {},
  ): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, id, {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
        ...others,
      },
    });
  }

  #siteBehavior(origin: IOrigin, responseHeadersPolicy: ResponseHeadersPolicy): BehaviorOptions {
    const pages = Object.values(paths);
    return {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      functionAssociations: [
        this.#createEdgeFunction('FindPage', pageMappingFunction(pages), FunctionEventType.VIEWER_REQUEST),
        this.#createEdgeFunction(
          'ReportMissing',
          notFoundStatusFunction(pages),
          FunctionEventType.VIEWER_RESPONSE,
        ),
      ],
      responseHeadersPolicy,
    };
  }

  /** The page for the frames of other sites. It is the only one without X-Frame-Options. */
  #embedBehavior(origin: IOrigin): BehaviorOptions {
    return {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      functionAssociations: [
        this.#createEdgeFunction('FindEmbed', embedMappingFunction, FunctionEventType.VIEWER_REQUEST),
      ],
      responseHeadersPolicy: this.#createHeaders('EmbedHeaders', embedContentSecurityPolicy),
    };
  }

  /**
   * The API renders the page of an event, with the tags for link previews. The page is the same for all viewers, so
   * CloudFront neither forwards queries and headers nor includes them in the cache key.
   */
  #eventPageBehavior(origin: IOrigin, responseHeadersPolicy: ResponseHeadersPolicy): BehaviorOptions {
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

  #apiBehaviors(origin: IOrigin): Record<string, BehaviorOptions> {
    const behavior = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      // Forwards all headers except Host, which API Gateway uses to select the API.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: [
        this.#createEdgeFunction('NameViewer', viewerAddressFunction, FunctionEventType.VIEWER_REQUEST),
      ],
    };
    // Caches as long as the API's headers allow: two seconds for public events, not at all for requests with a token.
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
    // The state of a queue for two seconds, and its draw for good. Both are the same for everybody, so neither a token nor
    // another parameter makes the API answer them once more.
    const queueReads = new CachePolicy(this, 'QueueReads', {
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.days(365),
      queryStringBehavior: CacheQueryStringBehavior.allowList('page'),
      headerBehavior: CacheHeaderBehavior.allowList('Origin'),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
    // Nothing is cached. Only the headers of a cache policy can have CloudFront tell the place of a login.
    const accounts = new CachePolicy(this, 'Accounts', {
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(1),
      queryStringBehavior: CacheQueryStringBehavior.all(),
      headerBehavior: CacheHeaderBehavior.allowList(
        'Authorization',
        'Origin',
        'CloudFront-Viewer-Country',
        'CloudFront-Viewer-City',
      ),
    });
    const anyMethod = { allowedMethods: AllowedMethods.ALLOW_ALL };
    const cached = { ...behavior, ...anyMethod, cachePolicy: publicReads };
    const uncached = { ...behavior, ...anyMethod, cachePolicy: CachePolicy.CACHING_DISABLED };
    const metadata = { ...behavior, ...anyMethod, cachePolicy: metadataReads };
    return {
      '/api/events': cached,
      '/api/events/*/queue*': { ...cached, cachePolicy: queueReads },
      '/api/events/*': cached,
      '/api/tokens/*': metadata,
      // The address of a picture changes with it.
      '/api/pictures/*': { ...behavior, cachePolicy: CachePolicy.CACHING_OPTIMIZED },
      '/api/auth/*': { ...behavior, ...anyMethod, cachePolicy: accounts },
      '/api/*': uncached,
      '/docs*': uncached,
    };
  }

  #createEdgeFunction(id: string, code: string, eventType: FunctionEventType) {
    const edgeFunction = new EdgeFunction(this, id, {
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
    });
    return { function: edgeFunction, eventType };
  }
}

function acknowledge(scope: Construct, findings: [id: string, reason: string][]): void {
  for (const [id, reason] of findings) Validations.of(scope).acknowledge({ id, reason });
}
