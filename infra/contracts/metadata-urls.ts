/** Where the service publishes the metadata of a contract's tickets. */
export interface MetadataUrls {
  /** What stands before the id in each token's URI. */
  baseUri: string;
  /** The collection's own metadata. */
  contractUri: string;
}

/** @param apiUrl the service's public address, without a slash at its end */
export function metadataUrls(apiUrl: string, chainId: number, contract: string): MetadataUrls {
  const contractUri = `${apiUrl}/api/tokens/${chainId}/${contract}`;
  return { baseUri: `${contractUri}/`, contractUri };
}
