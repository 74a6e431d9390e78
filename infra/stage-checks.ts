import { getDomain } from 'tldts';
import { findConfigurationErrors } from '../shared/runtime/config-schema.ts';
import { mailDomain } from './names.ts';
import type { StageConfiguration } from './stages.ts';

/** Domains that RFC 2606 reserves for examples, and that of docs/operations.md. */
const placeholder = /(^|\.)(example(\.(com|org|net))?|your-domain\.com)$/;

/**
 * Why a stage can't be deployed as it is configured, a sentence for each reason, which names the value. Only `dev`
 * may do without a domain, an address for alarms and a payment gateway.
 */
export function findStageErrors(stage: StageConfiguration): string[] {
  return [
    ...findConfigurationErrors(stage.settings).map((fault) => `settings.${fault}`),
    ...(stage.name === 'dev' ? [] : missingValues(stage)),
    ...placeholderValues(stage),
    ...crossSiteErrors(stage),
    ...unmetRequirements(stage),
  ];
}

/** @throws Error with all of them */
export function requireValidStage(stage: StageConfiguration): void {
  const faults = findStageErrors(stage);
  if (faults.length === 0) return;
  throw new Error(
    `${stage.name} is not configured (infra/stages/${stage.name}.json, or -c stageFile=…):\n  ${faults.join('\n  ')}`,
  );
}

function missingValues({ allowedOrigins, domain, settings, alarmEmail }: StageConfiguration): string[] {
  const gateway = settings.DEFAULT_GATEWAY?.toUpperCase().replace('-', '_') as 'GATEWAY_A';
  return [
    allowedOrigins.length === 0 && 'allowedOrigins has no origin: no page could call the API',
    !settings.PUBLIC_URL && 'settings.PUBLIC_URL is missing: buyers could not come back from paying',
    !domain && 'domain is missing: pages of another site lose the refresh cookie, which is SameSite=Strict',
    !settings[`${gateway}_URL`] && `settings.${gateway}_URL is missing: nobody could pay`,
    !alarmEmail && 'alarmEmail is missing: alarms would reach nobody',
  ].filter((fault) => fault !== false);
}

function placeholderValues(stage: StageConfiguration): string[] {
  const addresses: [string, string | undefined][] = [
    ...stage.allowedOrigins.map((origin): [string, string] => ['allowedOrigins', origin]),
    ['domain.name', stage.domain?.name],
    ['front.name', stage.front?.name],
    ['alarmEmail', stage.alarmEmail?.split('@')[1]],
    ['settings.MAIL_FROM', mailDomain(stage.settings.MAIL_FROM)],
    ...Object.entries(stage.settings).map(([name, value]): [string, string] => [`settings.${name}`, value]),
  ];
  return addresses
    .filter(([, value]) => value && placeholder.test(hostOf(value)))
    .map(([name, value]) => `${name} is a placeholder: ${value}`);
}

/** The refresh cookie is SameSite=Strict: a browser sends it from pages of the API's own site alone. */
function crossSiteErrors({ domain, front, allowedOrigins, settings, region }: StageConfiguration): string[] {
  if (!domain) return front ? ['front needs domain, the address of the API that it hands requests to'] : [];
  const pages: [string, string | undefined][] = [
    ...allowedOrigins.map((origin): [string, string] => ['allowedOrigins', origin]),
    ['settings.PUBLIC_URL', settings.PUBLIC_URL],
    ['front.name', front?.name],
  ];
  const others = pages
    .filter(([, page]) => page && siteOf(page) !== siteOf(domain.name))
    .map(([name, page]) => `${name} is another site than domain.name, ${domain.name}: ${page}`);
  return [
    ...others,
    ...(front && !region ? ['region is missing: the front is a stack in us-east-1 of its own'] : []),
    ...(front && !front.certificateArn.includes(':acm:us-east-1:')
      ? ['front.certificateArn is not in us-east-1, where CloudFront looks for certificates']
      : []),
    ...(region && !domain.certificateArn.includes(`:acm:${region}:`)
      ? [`domain.certificateArn is not in ${region}, the region of the stage`]
      : []),
  ];
}

function unmetRequirements({ provisionedConcurrency, canary }: StageConfiguration): string[] {
  return provisionedConcurrency && !canary
    ? ['provisionedConcurrency needs canary: it is set on an alias, and only canaries have one']
    : [];
}

/** The registrable domain, by the Public Suffix List as browsers use it. */
const siteOf = (address: string) =>
  getDomain(hostOf(address), { allowPrivateDomains: true }) ?? hostOf(address);

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : address);
