/** A name for a new model that none of these files has. */
export function freeName(taken: ReadonlySet<string>): string {
  const lower = new Set([...taken].map(name => name.toLowerCase()));
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'model.dynamo' : `model-${number}.dynamo`;
    if (!lower.has(name)) {
      return name;
    }
  }
}
