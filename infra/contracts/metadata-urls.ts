/** URLs at which the service publishes the metadata of a contract's tickets. */
export interface MetadataUrls {
  /** The prefix of each token's URI, before the token id. */
  baseUri: string;
  /** The URL of the collection's metadata. */
  contractUri: string;
}

/** @param apiUrl the service's public address, without a final slash */
export function metadataUrls(apiUrl: string, chainId: number, contract: string): MetadataUrls {
  const contractUri = `${apiUrl}/api/tokens/${chainId}/${contract}`;
  return { baseUri: `${contractUri}/`, contractUri };
}
