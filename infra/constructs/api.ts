import { CfnOutput, Duration, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnStage,
  CorsHttpMethod,
  DomainName,
  HttpApi,
  type HttpRoute,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { cors } from '../browser-policies.ts';
import type { Deployment } from '../deployment.ts';
import { accessLogName, stackName } from '../names.ts';
import type { StageConfiguration, Throttle } from '../stages.ts';
import { removalPolicy } from './retention.ts';

const noRequests: Throttle = { rate: 0, burst: 0 };

/** The fields of the access log: ids, timings and results. Addresses, paths and headers could contain personal data. */
const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  latency: '$context.responseLatency',
  integrationStatus: '$context.integrationStatus',
  integrationLatency: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
  error: '$context.error.message',
  responseBytes: '$context.responseLength',
};

/** The HTTP API: its address, its CORS rules and its throttles. Routes are defined with their functions. */
export class Api extends Construct {
  readonly http: HttpApi;
  readonly accessLog: LogGroup;
  readonly #stage: StageConfiguration;
  readonly #throttle: StageConfiguration['throttle'];

  constructor(scope: Construct, stage: StageConfiguration, { isPaused }: Deployment) {
    super(scope, 'Api');
    this.#stage = stage;
    this.#throttle = isPaused ? { webhook: noRequests, other: noRequests } : stage.throttle;
    this.http = new HttpApi(this, 'Http', {
      apiName: stackName(stage.name),
      createDefaultStage: false,
      // An API with its own domain has no default address, which would bypass the domain's certificate.
      disableExecuteApiEndpoint: stage.domain !== undefined,
      corsPreflight: {
        allowOrigins: [...stage.allowedOrigins],
        allowCredentials: true,
        allowMethods: cors.methods.map((method) => CorsHttpMethod[method]),
        allowHeaders: [...cors.requestHeaders],
        exposeHeaders: [...cors.exposedHeaders],
        maxAge: Duration.seconds(cors.maxAgeSeconds),
      },
    });
    this.accessLog = new LogGroup(this, 'AccessLog', {
      logGroupName: accessLogName(stage.name),
      retention: stage.logRetentionDays,
      removalPolicy: removalPolicy(stage),
    });
  }

  /** The address of the API. */
  get url(): string {
    return this.#stage.domain ? `https://${this.#stage.domain.name}` : this.http.apiEndpoint;
  }

  /**
   * Deploys the API. Every webhook route has its own throttle, which buyers' requests can't use up.
   * @param webhooks the webhook routes by route key. The stage depends on them, since it can only set the throttles of
   * existing routes
   */
  deploy(webhooks: ReadonlyMap<string, HttpRoute>): void {
    const { domain, canary } = this.#stage;
    const throttle = this.#throttle;
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.http,
      autoDeploy: true,
      throttle: { rateLimit: throttle.other.rate, burstLimit: throttle.other.burst },
      // Adds six metrics for each route, at the price of custom metrics. Canaries need the 5xx metric of every route.
      detailedMetricsEnabled: canary,
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
      ...(domain && { domainMapping: { domainName: this.#createDomain(domain) } }),
    });
    const settings = [...webhooks.keys()].map((route) => [route, routeSettings(throttle.webhook)]);
    (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(settings);
    stage.node.addDependency(...webhooks.values());
  }

  #createDomain({ name, certificateArn }: { name: string; certificateArn: string }): DomainName {
    const domain = new DomainName(this, 'Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    });
    new CfnOutput(this, 'DnsTarget', { value: domain.regionalDomainName });
    return domain;
  }
}

/**
 * Returns the settings of a route, which replace the stage's. The names are CloudFormation's, since the construct
 * doesn't support these settings.
 */
const routeSettings = ({ rate, burst }: Throttle) => ({
  ThrottlingRateLimit: rate,
  ThrottlingBurstLimit: burst,
  DetailedMetricsEnabled: true,
});

/** States why the API has no authorizer, for cdk-nag. */
export function acknowledgeAuthorization(routes: Construct): void {
  Validations.of(routes).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason:
      'Functions verify tokens and signatures themselves, since an authorizer can neither set the error body nor read the body of a webhook',
  });
}
