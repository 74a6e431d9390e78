/**
 * Stands in for semver, in every bundle: jsonwebtoken asks it three times whether Node is recent enough, and does
 * nothing else with it. Lambda's is. Saves 28 KB of the endpoints that know their caller.
 */
export const satisfies = () => true;
