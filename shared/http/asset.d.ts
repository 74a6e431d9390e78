/** A file that the build adds to the bundle, gzipped and base64-encoded. See infra/build/assets.ts. */
declare module 'asset:*' {
  const content: string;
  export default content;
}
