/** A request that starts the workflow, with the secret left to whoever runs it. */
export const curlExample = (address: string) =>
  [
    `curl -X POST '${address}' \\`,
    '  -H "Authorization: Bearer $SECRET" \\',
    '  -H "Content-Type: application/json" \\',
    "  -d '{}'",
  ].join("\n");
