/** A bank of the sandbox's providers. */
export interface SandboxBank {
  id: number;
  name: string;
  code: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  currency: string;
  /** gateway-a's type of recipient. */
  type: string;
}

const accounts: Record<string, Pick<SandboxBank, 'currency' | 'type'>> = {
  NG: { currency: 'NGN', type: 'nuban' },
  GH: { currency: 'GHS', type: 'ghipss' },
  KE: { currency: 'KES', type: 'kepss' },
  ZA: { currency: 'ZAR', type: 'basa' },
};

const listed: [country: string, code: string, name: string, type?: string][] = [
  ['NG', '044', 'Access Bank'],
  ['NG', '050', 'Ecobank Nigeria'],
  ['NG', '011', 'First Bank of Nigeria'],
  ['NG', '058', 'Guaranty Trust Bank'],
  ['NG', '033', 'United Bank For Africa'],
  ['NG', '057', 'Zenith Bank'],
  ['GH', '280100', 'Access Bank'],
  ['GH', '040100', 'GCB Bank Limited'],
  ['GH', 'MTN', 'MTN', 'mobile_money'],
  ['KE', '68', 'Equity Bank'],
  ['KE', '01', 'Kenya Commercial Bank'],
  ['KE', 'MPESA', 'M-PESA', 'mobile_money'],
  ['ZA', '632005', 'Absa Bank Limited, South Africa'],
  ['ZA', '470010', 'Capitec Bank Limited'],
];
/** So many that gateway-a's list has several pages, as it has for Nigeria. */
const small = Array.from(
  { length: 130 },
  (_, index) => ['NG', `${51_000 + index}`, `Sandbox Microfinance Bank ${index + 1}`] as const,
);

/** The banks that the providers know. */
export const banks: readonly SandboxBank[] = [...listed, ...small].map(
  ([country, code, name, type], index) => ({
    id: index + 1,
    name,
    code,
    country,
    currency: accounts[country]?.currency ?? '',
    type: type ?? accounts[country]?.type ?? '',
  }),
);
