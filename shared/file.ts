/** A file that the build put into a bundle, to be answered with. */
export interface File {
  /** Gzipped, in base64. */
  content: string;
  type: string;
  /** What else the answer carries. */
  headers?: Record<string, string>;
}
