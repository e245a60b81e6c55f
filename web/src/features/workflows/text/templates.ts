/** A workflow that one can begin with: nothing is saved before it has a step. */
export const emptyText = (slug: string): string => `slug: ${slug}
name: New workflow
input_schema:
  type: object
  properties:
    request: {type: string, description: What is asked for}
steps: []
`;
