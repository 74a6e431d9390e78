import { CfnOutput, Duration, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CorsHttpMethod,
  DomainName,
  HttpApi,
  type HttpApiProps,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { cors } from '../browser-policies.ts';
import type { Deployment } from '../deployment.ts';
import type { Trigger } from '../functions.ts';
import { accessLogName, stackName } from '../names.ts';
import { isWebhook, type StageConfiguration, type Throttle } from '../stages.ts';
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

interface ApiProps {
  throttle: Throttle;
  accessLog: LogGroup;
  domain: StageConfiguration['domain'];
  /** Whether each route has its own metrics: six, at the price of custom metrics. */
  hasRouteMetrics: boolean;
}

/** An HTTP API with its address and its throttle. Routes are defined with their functions. */
class Api extends Construct {
  readonly http: HttpApi;
  /** The address of the API. */
  readonly url: string;
  readonly stage: HttpStage;

  constructor(scope: Construct, id: string, props: ApiProps, options: Partial<HttpApiProps>) {
    super(scope, id);
    const { throttle, domain } = props;
    this.http = new HttpApi(this, 'Http', {
      ...options,
      createDefaultStage: false,
      // An API with its own domain has no default address, which would bypass the domain's certificate.
      disableExecuteApiEndpoint: domain !== undefined,
    });
    this.url = domain ? `https://${domain.name}` : this.http.apiEndpoint;
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.http,
      autoDeploy: true,
      throttle: { rateLimit: throttle.rate, burstLimit: throttle.burst },
      detailedMetricsEnabled: props.hasRouteMetrics,
      accessLogSettings: {
        destination: new LogGroupLogDestination(props.accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
      ...(domain && { domainMapping: { domainName: this.#createDomain(domain) } }),
    });
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
 * The API of buyers and organizers, and the API of the payment providers' webhooks. They are two, so that no request of a
 * buyer uses the throttle of the webhooks, and so that the first can be closed to everybody but CloudFront.
 */
export class Apis extends Construct {
  readonly buyers: Api;
  readonly webhooks: Api;
  readonly accessLog: LogGroup;

  constructor(scope: Construct, stage: StageConfiguration, { isPaused }: Deployment) {
    super(scope, 'Apis');
    this.accessLog = new LogGroup(this, 'AccessLog', {
      logGroupName: accessLogName(stage.name),
      retention: stage.logRetentionDays,
      removalPolicy: removalPolicy(stage),
    });
    const { accessLog } = this;
    const throttle = isPaused ? { webhook: noRequests, other: noRequests } : stage.throttle;
    this.buyers = new Api(
      this,
      'Buyers',
      // Canaries need the 5xx metric of every route.
      { accessLog, throttle: throttle.other, domain: stage.domain, hasRouteMetrics: stage.canary },
      {
        apiName: stackName(stage.name),
        corsPreflight: {
          allowOrigins: [...stage.allowedOrigins],
          allowCredentials: true,
          allowMethods: cors.methods.map((method) => CorsHttpMethod[method]),
          allowHeaders: [...cors.requestHeaders],
          exposeHeaders: [...cors.exposedHeaders],
          maxAge: Duration.seconds(cors.maxAgeSeconds),
        },
      },
    );
    this.webhooks = new Api(
      this,
      'Webhooks',
      { accessLog, throttle: throttle.webhook, domain: stage.webhookDomain, hasRouteMetrics: true },
      { apiName: `${stackName(stage.name)}-webhooks` },
    );
  }

  /** Returns the API of a route. */
  of(trigger: Trigger): HttpApi {
    return (isWebhook(trigger) ? this.webhooks : this.buyers).http;
  }
}

/** States why the API has no authorizer, for cdk-nag. */
export function acknowledgeAuthorization(routes: Construct): void {
  Validations.of(routes).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason:
      'Functions verify tokens and signatures themselves, since an authorizer can neither set the error body nor read the body of a webhook',
  });
}
