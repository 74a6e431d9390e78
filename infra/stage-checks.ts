import { getDomain } from 'tldts';
import { findConfigurationErrors } from '../shared/runtime/settings.ts';
import { mailDomain } from './names.ts';
import type { StageConfiguration } from './stages.ts';

/** Matches the domains that RFC 2606 reserves for examples, and the example domain of docs/deployment.md. */
const placeholderDomain = /(^|\.)(example(\.(com|org|net))?|your-domain\.com)$/;

/**
 * Returns the errors in a stage's configuration, as sentences that name the values. Only `dev` may lack a domain, an
 * address for alarms and a payment gateway.
 */
export function findStageErrors(stage: StageConfiguration): string[] {
  return [
    ...findConfigurationErrors(stage.settings).map((error) => `settings.${error}`),
    ...(stage.name === 'dev' ? [] : missingValues(stage)),
    ...placeholderValues(stage),
    ...domainErrors(stage),
    ...unmetRequirements(stage),
  ];
}

/** Requires a stage's configuration to be valid. @throws Error with all errors that `findStageErrors` returns */
export function requireValidStage(stage: StageConfiguration): void {
  const errors = findStageErrors(stage);
  if (errors.length === 0) return;
  throw new Error(
    `${stage.name} is not configured (infra/stages/${stage.name}.json, or -c stageFile=…):\n  ${errors.join('\n  ')}`,
  );
}

function missingValues({ allowedOrigins, domain, settings, alarmEmail }: StageConfiguration): string[] {
  const gateway = settings.DEFAULT_GATEWAY?.toUpperCase().replace('-', '_') as 'GATEWAY_A';
  return [
    allowedOrigins.length === 0 && 'allowedOrigins has no origin: no page could call the API',
    !settings.PUBLIC_URL && 'settings.PUBLIC_URL is missing: buyers could not return from the payment page',
    !domain && 'domain is missing: pages of another site lose the refresh cookie, which is SameSite=Strict',
    !settings[`${gateway}_URL`] && `settings.${gateway}_URL is missing: nobody could pay`,
    !alarmEmail && 'alarmEmail is missing: alarms would reach nobody',
  ].filter((error) => error !== false);
}

function placeholderValues(stage: StageConfiguration): string[] {
  const addresses: [string, string | undefined][] = [
    ...stage.allowedOrigins.map((origin): [string, string] => ['allowedOrigins', origin]),
    ['domain.name', stage.domain?.name],
    ['webhookDomain.name', stage.webhookDomain?.name],
    ['front.name', stage.front?.name],
    ['alarmEmail', stage.alarmEmail?.split('@')[1]],
    ['ticketEmail', stage.ticketEmail?.split('@')[1]],
    ['settings.MAIL_FROM', mailDomain(stage.settings.MAIL_FROM)],
    ...Object.entries(stage.settings).map(([name, value]): [string, string] => [`settings.${name}`, value]),
  ];
  return addresses
    .filter(([, value]) => value && placeholderDomain.test(hostOf(value)))
    .map(([name, value]) => `${name} is a placeholder: ${value}`);
}

/**
 * Returns the errors of domains and certificates. A page must be on the site of the API, since browsers don't send a
 * SameSite=Strict cookie from another site.
 */
function domainErrors(stage: StageConfiguration): string[] {
  const { domain, webhookDomain, front, allowedOrigins, settings, region } = stage;
  if (!domain)
    return front ? ['front needs domain, the address of the API that it forwards requests to'] : [];
  const pages: [string, string | undefined][] = [
    ...allowedOrigins.map((origin): [string, string] => ['allowedOrigins', origin]),
    ['settings.PUBLIC_URL', settings.PUBLIC_URL],
    ['front.name', front?.name],
  ];
  const crossSitePages = pages
    .filter(([, page]) => page && siteOf(page) !== siteOf(domain.name))
    .map(([name, page]) => `${name} is another site than domain.name, ${domain.name}: ${page}`);
  return [
    ...crossSitePages,
    ...(front && !region ? ['region is missing: the front is a separate stack in us-east-1'] : []),
    ...(front && !front.certificateArn.includes(':acm:us-east-1:')
      ? ['front.certificateArn is not in us-east-1, which CloudFront requires']
      : []),
    ...Object.entries({ domain, webhookDomain })
      .filter(([, endpoint]) => region && endpoint && !endpoint.certificateArn.includes(`:acm:${region}:`))
      .map(([name]) => `${name}.certificateArn is not in ${region}, the region of the stage`),
  ];
}

function unmetRequirements({ provisionedConcurrency, canary }: StageConfiguration): string[] {
  return provisionedConcurrency && !canary
    ? ['provisionedConcurrency needs canary: it is set on an alias, which a function has only with canary']
    : [];
}

/** Returns the registrable domain, which browsers call the site, by the Public Suffix List. */
const siteOf = (address: string) =>
  getDomain(hostOf(address), { allowPrivateDomains: true }) ?? hostOf(address);

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : address);
