// Expectations whose messages say what was there instead.

export function expect(condition, message) {
  if (!condition) throw new Error(message);
}

export function expectEqual(actual, expected, what) {
  const [a, b] = [actual, expected].map(value => JSON.stringify(value));
  expect(a === b, `${what}: expected ${b}, got ${a}`);
}

export function expectContains(text, part, what) {
  expect(String(text).includes(part), `${what} lacks ${JSON.stringify(part)}:\n${text}`);
}
