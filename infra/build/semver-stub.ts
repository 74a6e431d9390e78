/**
 * Replaces semver in every bundle. jsonwebtoken uses it only to check Node's version, and Lambda's Node passes these
 * checks. This saves 28 KB in every endpoint that authenticates its caller.
 */
export const satisfies = () => true;
