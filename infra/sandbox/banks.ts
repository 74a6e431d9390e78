/** A bank in the lists of the sandbox's payment providers. */
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

const countries: Record<string, Pick<SandboxBank, 'currency' | 'type'>> = {
  NG: { currency: 'NGN', type: 'nuban' },
  GH: { currency: 'GHS', type: 'ghipss' },
  KE: { currency: 'KES', type: 'kepss' },
  ZA: { currency: 'ZAR', type: 'basa' },
};

const largeBanks: [country: string, code: string, name: string, type?: string][] = [
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
/** Enough Nigerian banks that their list at gateway-a has several pages, as the real provider's has. */
const microfinanceBanks = Array.from(
  { length: 130 },
  (_, index) => ['NG', `${51_000 + index}`, `Sandbox Microfinance Bank ${index + 1}`] as const,
);

/** All banks in the lists of the sandbox's payment providers. */
export const banks: readonly SandboxBank[] = [...largeBanks, ...microfinanceBanks].map(
  ([country, code, name, type], index) => ({
    id: index + 1,
    name,
    code,
    country,
    currency: countries[country]?.currency ?? '',
    type: type ?? countries[country]?.type ?? '',
  }),
);
