/**
 * Writes one JSON line to standard output. Lambda's own console would put a timestamp and a request id before
 * it, and CloudWatch then finds neither fields nor metrics in the line.
 */
export function writeLine(entry: object): void {
  process.stdout.write(`${JSON.stringify(entry)}\n`);
}
