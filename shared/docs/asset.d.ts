/** A file that the build puts into the bundle: gzipped, in base64. See infra/build/assets.ts. */
declare module 'asset:*' {
  const content: string;
  export default content;
}
